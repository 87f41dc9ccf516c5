import IOChannelsSystem
import IOChannelsTestSupport

extension Trap {
  /// Copies in parts, statuses for schedulers, copies beside an earlier one, and copies to several
  /// destinations.
  static let parts = [
    disjointParts, lastStep, permanentErrors, sharedFiles, sharedReads, failingDestination,
    meetingDestinations,
  ]

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

  private static let sharedReads = Trap(
    "T72",
    "each of several destinations gets a copy of its own",
    stage: { test in
      try test.write(test.bytes(1_000_000), to: "s/d/large")
      try test.write("1\n", to: "s/small")
      try test.makeHardLink("s/d/other", to: "s/small")
      try test.write("2\n", to: "s/holes")
      try test.setSize(3_000_000, of: "s/holes")
      try test.give("s/small", mode: 0o640)
      try test.setTime(100, nanoseconds: 5, of: "s/d/large")
    },
    expect: { test in
      let copy = try test.copy("-aT", "--also-to=far/to", "--also-to=third", "s", "to")
      test.expect(copy, is: .success)
      for target in ["to", "far/to", "third"] {
        for name in ["d/large", "small", "d/other", "holes"] {
          test.expect(test.haveSameBytes("s/\(name)", "\(target)/\(name)"), is: true)
          let (one, other) = (test.status(of: "s/\(name)"), test.status(of: "\(target)/\(name)"))
          test.expect(one?.permissions, is: other?.permissions)
          test.expect(one?.modified, is: other?.modified)
        }
        test.expect(test.inode(of: "\(target)/small"), is: test.inode(of: "\(target)/d/other"))
      }
    }
  )

  private static let failingDestination = Trap(
    "T73",
    "a destination that fails is reported, and the others are complete",
    stage: { test in
      for number in 1...9 { try test.write("\(number)\n", to: "s/\(number)") }
    },
    expect: { test in
      let others = ["--also-to=none/to", "--also-to=far/to"]
      let copy = try test.copy("-rT", "--verify", others[0], others[1], "s", "to")
      let messages = [
        "cp: cannot create directory 'none/to': No such file or directory",
        "cp: copy to 'none/to' is incomplete: 1 error",
      ]
      test.expect(copy, is: TrapRun.Copy(status: 1, messages: messages))
      for target in ["to", "far/to"] {
        test.expect(test.names(in: target), is: test.names(in: "s"))
        test.expect(test.haveSameBytes("s/9", "\(target)/9"), is: true)
      }
    }
  )

  private static let meetingDestinations = Trap(
    "T74",
    "destinations that meet are refused before anything is changed",
    stage: { test in
      try test.write("1\n", to: "s/d/f")
      try test.write("2\n", to: "to/in/g")
    },
    expect: { test in
      let nested = try test.copy("-a", "--also-to=to/in", "s", "to")
      test.expect(
        nested,
        is: .failure("cp: destination 'to/in' must not be inside destination 'to'")
      )
      let inside = try test.copy("-aT", "--also-to=s/d/new", "s", "other")
      test.expect(inside, is: .failure("cp: destination 's/d/new' must not be inside source 's'"))
      test.expect(test.names(in: "to"), is: ["in"])
      test.expect(test.names(in: "s/d"), is: ["f"])
      test.expect(test.names(in: "."), is: ["s", "to"])
    }
  )
}
