import IOChannelsTestSupport

extension Trap {
  /// Copies that are flushed to disk.
  static let durability = [durableFiles, flushAtEnd]

  private static let durableFiles = Trap(
    "T53",
    "a file has its name only when its contents are on disk",
    extras: [.faulty],
    stage: { test in
      try test.write(test.bytes(300_000), to: "s/large")
      for number in 1...20 { try test.write("\(number)\n", to: "s/d/\(number)") }
      try test.write("old\n", to: "to/d/7")
      try test.write("old\n", to: "behind/f")
    },
    expect: { test in
      test.expect(try test.copy("-aT", "--durable", "s", "to"), is: .success)
      test.expect(test.differences("s", "to"), is: [])
      // The flush of a file fails, so that the old one keeps the name.
      try test.faults.setRules("fsync * 1+ errno 5")
      let failed = try test.copy("--durable", "s/large", "faulty/f")
      try test.faults.setRules()
      test.expect(failed, is: .failure("cp: error syncing 'faulty/f': Input/output error"))
      test.expect(test.text(of: "behind/f"), is: "old\n")
      test.expect(test.names(in: "behind"), is: ["f"])
    }
  )

  private static let flushAtEnd = Trap(
    "T54",
    "the copies are flushed at the end, on each file system that was written to",
    naiveLoopPasses: "it flushes nothing, which shows only after the loss of power",
    stage: { test in
      try test.write(test.bytes(300_000), to: "s/large")
      try test.write("1\n", to: "s/d/small")
      try test.makeLink("s/link", to: "large")
      try test.write("old\n", to: "far/old")
      try test.makeLink("through", to: "far/old")
    },
    expect: { test in
      test.expect(try test.copy("-a", "--sync", "s", "to"), is: .success)
      test.expect(test.differences("s", "to"), is: [])
      test.expect(try test.copy("--sync", "s/large", "through"), is: .success)
      test.expect(test.haveSameBytes("s/large", "far/old"), is: true)
      test.expect(try test.copy("-a", "--sync", "--dry-run", "s", "new").status, is: 0)
      test.expect(test.names(in: "new"), is: nil)
    }
  )
}
