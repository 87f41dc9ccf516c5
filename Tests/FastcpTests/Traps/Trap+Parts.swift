import IOChannelsSystem
import IOChannelsTestSupport

extension Trap {
  /// Copies in parts, statuses for schedulers, and copies beside an earlier one.
  static let parts = [disjointParts, lastStep, permanentErrors, sharedFiles]

  private static let disjointParts = Trap(
    "T68",
    "each part of a copy has files of its own, and all names of one file",
    stage: { test in
      for number in 1...30 { try test.write("\(number)\n", to: "s/d/\(number)") }
      for number in 1...10 {
        try test.makeHardLink("s/d/other\(number)", to: "s/d/\(number)")
      }
    },
    expect: { test in
      var counts: [Int] = []
      for index in 0..<3 {
        test.expect(try test.copy("-aT", "--shard=\(index)/3", "s", "to"), is: .success)
        counts.append(test.names(in: "to/d")?.count ?? 0)
      }
      test.expect(counts[0] < counts[1] && counts[1] < counts[2], is: true)
      test.expect(test.names(in: "to/d"), is: test.names(in: "s/d"))
      for number in 1...10 {
        let (one, other) = ("to/d/\(number)", "to/d/other\(number)")
        test.expect(test.inode(of: one), is: test.inode(of: other))
      }
    }
  )

  private static let lastStep = Trap(
    "T69",
    "the last step waits for all parts, and gives the directories their attributes",
    stage: { test in
      for number in 1...9 { try test.write("\(number)\n", to: "s/d/\(number)") }
      try test.give("s/d", mode: 0o751)
      try test.setTime(1000, of: "s/d")
    },
    expect: { test in
      test.expect(try test.copy("-aT", "--shard=1/2", "s", "to"), is: .success)
      let early = try test.copy("-aT", "--shard=finish", "s", "to")
      test.expect(early, is: .failure("cp: part 0/2 has not reported in 'to'"))
      test.expect(try test.copy("-aT", "--shard=0/2", "s", "to"), is: .success)
      test.expect(test.mode(of: "to/d") == test.mode(of: "s/d"), is: false)
      test.expect(try test.copy("-aT", "--shard=finish", "s", "to"), is: .success)
      test.expect(test.mode(of: "to/d"), is: test.mode(of: "s/d"))
      test.expect(test.status(of: "to/d")?.modified, is: test.status(of: "s/d")?.modified)
      test.expect(test.names(in: "to"), is: ["d"])
    }
  )

  private static let permanentErrors = Trap(
    "T70",
    "a status states that a further attempt would fail too",
    stage: { test in
      try test.write("1\n", to: "s/f")
    },
    expect: { test in
      let scheduler = "--exit-codes=scheduler"
      let omitted = "cp: -r not specified; omitting directory 's'"
      test.expect(
        try test.copy(scheduler, "s", "to"),
        is: TrapRun.Copy(status: 42, messages: [omitted])
      )
      let missing = "cp: cannot stat 'nothing': No such file or directory"
      test.expect(try test.copy(scheduler, "nothing", "to"), is: .failure(missing))
      test.expect(try test.copy(scheduler, "s/f", "to"), is: .success)
    }
  )

  private static let sharedFiles = Trap(
    "T71",
    "an unchanged file is a link to an earlier copy, and no later copy changes that one",
    stage: { test in
      for name in ["same", "older", "longer"] {
        try test.write("1\n", to: "s/\(name)")
        try test.setTime(100, nanoseconds: 5, of: "s/\(name)")
      }
    },
    expect: { test in
      test.expect(try test.copy("-aT", "s", "mon"), is: .success)
      try test.setTime(100, nanoseconds: 6, of: "s/older")
      try test.write("12\n", to: "s/longer")
      try test.setTime(100, nanoseconds: 5, of: "s/longer")
      test.expect(try test.copy("-aT", "--link-dest=mon", "s", "tue"), is: .success)
      test.expect(test.inode(of: "tue/same"), is: test.inode(of: "mon/same"))
      test.expect(test.inode(of: "tue/older") == test.inode(of: "mon/older"), is: false)
      test.expect(test.inode(of: "tue/longer") == test.inode(of: "mon/longer"), is: false)
      test.expect(test.text(of: "tue/longer"), is: "12\n")
      try test.write("3\n", to: "s/same")
      test.expect(try test.copy("-aT", "--link-dest=mon", "s", "tue"), is: .success)
      test.expect(test.text(of: "tue/same"), is: "3\n")
      test.expect(test.text(of: "mon/same"), is: "1\n")
    }
  )
}
