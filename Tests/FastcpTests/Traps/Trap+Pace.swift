import IOChannelsTestSupport

extension Trap {
  /// The pace of a copy.
  static let pace = [limitedRate]

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
}
