import IOChannelsTestSupport

extension Trap {
  /// The pace of a copy.
  static let pace = [limitedRate, unwrittenData]

  private static let limitedRate = Trap(
    "T55",
    "a limit of the rate holds for all files together",
    stage: { test in
      for name in ["a", "b", "c"] { try test.write(test.bytes(300_000), to: "s/\(name)") }
      try test.write(test.bytes(300_000), to: "f")
    },
    expect: { test in
      let start = ContinuousClock.now
      try test.copy("-r", "--reflink=never", "--bwlimit=1M", "s", "to")
      try test.copy("--bwlimit=1M", "f", "far/f")
      // Each of the two copies may begin with a tenth of a second of unused time.
      test.expect(ContinuousClock.now - start > .milliseconds(800), is: true)
      test.expect(test.names(in: "to"), is: ["a", "b", "c"])
      test.expect(test.haveSameBytes("f", "far/f"), is: true)
    }
  )

  private static let unwrittenData = Trap(
    "T56",
    "data is written back during the copy, and the copy has all of it",
    naiveLoopPasses: "the kernel writes its data later, which no file shows",
    stage: { test in
      for number in 1...8 { try test.write(test.bytes(60_000 * number), to: "s/\(number)") }
      try test.write(test.bytes(4_000_000) + test.bytes(4_000_000), to: "s/large")
      try test.write("1\n", to: "s/holes")
      try test.setSize(9_000_000, of: "s/holes")
    },
    expect: { test in
      for target in ["to", "far/to"] {
        try test.copy("-rT", "--reflink=never", "--paced", "s", target)
        for name in ["1", "8", "large", "holes"] {
          test.expect(test.haveSameBytes("s/\(name)", "\(target)/\(name)"), is: true)
        }
      }
      try test.copy("--reflink=never", "--paced", "--drop-cache", "s/large", "again")
      test.expect(test.haveSameBytes("s/large", "again"), is: true)
    }
  )
}
