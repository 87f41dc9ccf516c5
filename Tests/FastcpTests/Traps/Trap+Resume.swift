import IOChannelsSystem
import IOChannelsTestSupport

extension Trap {
  /// Copies that continue an interrupted one.
  static let resume = [completeFiles, partialFiles, unchangedDirectories]

  private static let completeFiles = Trap(
    "T51",
    "a rerun keeps complete files, and copies those that only look complete",
    stage: { test in
      for name in ["kept", "shorter", "older", "equal"] {
        try test.write("12345\n", to: "s/\(name)")
        try test.setTime(100, nanoseconds: 7, of: "s/\(name)")
      }
      try test.write("abcde\n", to: "to/kept")
      try test.setTime(100, nanoseconds: 7, of: "to/kept")
      try test.write("1234\n", to: "to/shorter")
      try test.setTime(100, nanoseconds: 7, of: "to/shorter")
      try test.write("abcde\n", to: "to/older")
      try test.write("12345\n", to: "to/equal")
    },
    expect: { test in
      let equal = test.inode(of: "to/equal")
      test.expect(try test.copy("-rT", "--resume", "s", "to"), is: .success)
      test.expect(test.text(of: "to/kept"), is: "abcde\n")
      for name in ["shorter", "older", "equal"] {
        test.expect(test.text(of: "to/\(name)"), is: "12345\n")
      }
      test.expect(test.inode(of: "to/equal"), is: equal)
      let copied = test.inode(of: "to/older")
      test.expect(try test.copy("-rT", "--resume", "s", "to"), is: .success)
      test.expect(test.inode(of: "to/older"), is: copied)
    }
  )

  private static let partialFiles = Trap(
    "T52",
    "the rest of a large file is copied after an interruption",
    extras: [.faulty],
    stage: { test in
      try test.write(test.bytes(4_000_000) + test.bytes(4_000_000), to: "behind/f")
      try test.setTime(5, of: "behind/f")
      try test.makeDirectory("to")
    },
    expect: { test in
      // Behind the first megabytes, the source does not answer.
      let copy = try test.startHolding("read f 12", ["-a", "--resume", "faulty/f", "to"])
      copy.kill()
      try test.faults.setRules()
      test.expect(copy.finish().status, is: 128 + 9)
      test.expect(test.names(in: "to")?.count, is: 1)
      test.expect(test.size(of: "to/f"), is: nil)

      let again = try test.copy("-a", "--resume", "--stats", "faulty/f", "to")
      test.expect(again.status, is: 0)
      test.expect(again.messages.contains { $0.contains("resumed") }, is: true)
      test.expect(test.haveSameBytes("behind/f", "to/f"), is: true)
      test.expect(test.names(in: "to"), is: ["f"])
    }
  )

  private static let unchangedDirectories = Trap(
    "T75",
    "a rerun leaves directories alone that did not change",
    stage: { test in
      try test.write("12345\n", to: "s/d/f")
      try test.setTime(5, of: "s/d/f", "s/d", "s")
    },
    expect: { test in
      test.expect(try test.copy("-aT", "--resume", "s", "to"), is: .success)
      let changed = test.status(of: "to/d")?.changed
      test.expect(try test.copy("-aT", "--resume", "s", "to"), is: .success)
      test.expect(test.status(of: "to/d")?.changed == changed, is: true)
      try test.setMode(0o700, of: "s/d")
      test.expect(try test.copy("-aT", "--resume", "s", "to"), is: .success)
      test.expect(test.mode(of: "to/d"), is: test.mode(of: "s/d"))
      test.expect(test.differences("s", "to"), is: [])
    }
  )
}
