import IOChannelsTestSupport

extension Trap {
  /// Entries of the destination that the source lacks.
  static let removals = [lackingEntries, unreadNames, lostOperands, removalLimit]

  private static let lackingEntries = Trap(
    "T57",
    "entries that the source lacks are removed, and no link is followed",
    stage: { test in
      try test.write("1\n", to: "s/f")
      try test.write("2\n", to: "s/d/g")
      try test.write("1\n", to: "to/f")
      try test.write("3\n", to: "to/gone")
      try test.write("4\n", to: "to/d/x/y/z")
      try test.write("5\n", to: "outside/kept")
      try test.makeLink("to/out", to: "../outside")
      try test.makeLink("to/d/x/out", to: "../../../outside")
    },
    expect: { test in
      test.expect(try test.copy("-aT", "--delete", "s", "to"), is: .success)
      test.expect(test.paths(in: "to"), is: [".", "./d", "./d/g", "./f"])
      test.expect(test.names(in: "outside"), is: ["kept"])
    }
  )

  private static let unreadNames = Trap(
    "T58",
    "nothing is removed where not all names of the source can be read",
    extras: [.faulty],
    stage: { test in
      try test.write("1\n", to: "behind/s/d/f")
      try test.write("2\n", to: "behind/s/e/f")
      try test.write("3\n", to: "to/d/g")
      try test.write("4\n", to: "to/e/g")
    },
    expect: { test in
      try test.faults.setRules("readdir d 1 errno 5")
      let copy = try test.copy("-rT", "--delete", "faulty/s", "to")
      try test.faults.setRules()
      let messages = [
        "cp: cannot access 'faulty/s/d': Input/output error",
        "cp: warning: removing nothing from 'to/d', because not all names in it and its source "
          + "were read",
      ]
      test.expect(copy, is: TrapRun.Copy(status: 1, messages: messages))
      test.expect(test.names(in: "to/d"), is: ["g"])
      test.expect(test.names(in: "to/e"), is: ["f"])
    }
  )

  private static let lostOperands = Trap(
    "T59",
    "operands that removals could meet are refused before anything is changed",
    stage: { test in
      try test.write("1\n", to: "t/in/f")
      try test.write("2\n", to: "t/g")
      try test.makeDirectory("empty")
    },
    expect: { test in
      let inside = "cp: with --delete, source 't/in' must not be inside destination 't'"
      test.expect(try test.copy("-aT", "--delete", "t/in", "t"), is: .failure(inside))
      let empty = "cp: source 'empty' is empty; to empty its copy, add --delete-from-empty-source"
      test.expect(try test.copy("-aT", "--delete", "empty", "t"), is: .failure(empty))
      test.expect(test.paths(in: "t"), is: [".", "./g", "./in", "./in/f"])
    }
  )

  private static let removalLimit = Trap(
    "T60",
    "entries are counted before the first one is removed",
    stage: { test in
      try test.write("1\n", to: "s/f")
      for name in ["a", "b", "c"] { try test.write("2\n", to: "to/\(name)") }
    },
    expect: { test in
      let message =
        "cp: removing nothing more, because the entries in 'to' exceed the limit of 2 "
        + "(entries to remove: 3, removed before: 0)"
      let copy = try test.copy("-aT", "--delete", "--max-delete=2", "s", "to")
      test.expect(copy, is: .failure(message))
      test.expect(test.names(in: "to"), is: ["a", "b", "c", "f"])
      test.expect(try test.copy("-aT", "--delete", "--max-delete=3", "s", "to"), is: .success)
      test.expect(test.names(in: "to"), is: ["f"])
    }
  )
}
