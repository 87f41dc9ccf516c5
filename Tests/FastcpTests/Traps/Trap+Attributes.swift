import IOChannelsTestSupport
import IOChannelsSystem

extension Trap {
  /// Owners, modes, attributes and times.
  static let attributes = [
    closedMeanwhile, order, setIDBits, existingFile, group, lostAttributes, readOnlyFiles,
    linkAttributes,
  ]

  private static let closedMeanwhile = Trap(
    "T12",
    "a new file or directory is inaccessible to other users until it is complete",
    stage: { test in
      try test.makeDirectories("d", "to", mode: 0o777)
      try test.makeFIFO("p", mode: 0o666)
      try test.makeFIFO("d/p", mode: 0o666)
    },
    expect: { test in
      try test.copy("p", "to/f", feeding: "p", into: "to/f") {
        test.expect(test.mode(of: "to/f"), is: "600")
      }
      try test.copy("-a", "--copy-contents", "d", "to", feeding: "d/p", into: "to/d/p") {
        test.expect(test.mode(of: "to/d"), is: "700")
      }
      test.expect(test.mode(of: "to/f"), is: "644")
      test.expect(test.mode(of: "to/d"), is: "777")
    }
  )

  private static let order = Trap(
    "T13",
    "data, owner, attributes, mode and times are set in this order, those of directories last",
    stage: { test in
      try test.write("1\n", to: "t/theirs")
      try test.setOwner(12, 34, of: "t/theirs")
      try test.setMode(0o6755, of: "t/theirs")
      try test.write("2\n", to: "t/able")
      try test.setOwner(0, 0, of: "t/able")
      let capability: [UInt8] = [1, 0, 0, 2, 0, 0x20] + Array(repeating: 0, count: 14)
      try test.setAttribute("security.capability", to: capability, of: "t/able")
      try test.write("3\n", to: "t/d/closed/f")
      try test.write("4\n", to: "t/d/g")
      try test.setAttribute("user.a", to: "1", of: "t/d/g")
      try test.setAttribute("user.b", to: "2", of: "t/d")
      try test.addAccess("u:33:r", to: "t/d/g")
      try test.setMode(0o640, of: "t/d/g")
      try test.makeHardLink("t/h", to: "t/d/g")
      try test.setMode(0o555, of: "t/d/closed")
      try test.setTime(9, of: "t/theirs", "t/able")
      try test.setTime(1000, nanoseconds: 500_000_000, of: "t/d/closed/f", "t/d/closed")
      try test.setTime(5, of: "t/d/g", "t/d")
      try test.setTime(6, of: "t")
    },
    likeCP: { test in
      try test.copy("-a", "t", "u")
      try test.compareTimes(of: "u")
    }
  )

  private static let setIDBits = Trap(
    "T14",
    "set-ID bits need a preserved mode and owner",
    stage: { test in
      try test.write("1\n", to: "theirs")
      try test.setOwner(0, 0, of: "theirs")
      try test.setMode(0o6755, of: "theirs")
      try test.write("2\n", to: "mine", mode: 0o6755)
      try test.makeDirectory("sticky", mode: 0o1755)
      try test.write("3\n", to: "sticky/f", mode: 0o4755)
      try test.makeDirectories("to", "kept")
    },
    likeCP: { test in
      try test.copy("mine", "theirs", "to")
      try test.copy("-r", "sticky", "to")
      try test.copy("-p", "mine", "theirs", "kept")
      try test.copy("-rp", "sticky", "kept")
    }
  )

  private static let existingFile = Trap(
    "T15",
    "an existing file keeps its inode and mode, and with -p is closed before the first byte",
    stage: { test in
      try test.write("old\n", to: "g", mode: 0o666)
      try test.write("new\n", to: "f", mode: 0o640)
      try test.makeFIFO("p", mode: 0o640)
    },
    expect: { test in
      let inode = test.inode(of: "g")
      try test.copy("f", "g")
      test.expect(test.mode(of: "g"), is: "666")
      test.expect(test.text(of: "g"), is: "new\n")
      test.expect(test.inode(of: "g"), is: inode)

      try test.copy("-p", "p", "g", feeding: "p", into: "g") {
        test.expect(test.mode(of: "g"), is: "600")
      }
      test.expect(test.mode(of: "g"), is: "640")
      test.expect(test.text(of: "g"), is: "x")
    }
  )

  private static let group = Trap(
    "T17",
    "a user who may not change the owner still sets the group",
    stage: { test in
      try test.write("1\n", to: "f")
      try test.setOwner(33, 12, of: "f")
      try test.setMode(0o664, of: "f")
      try test.write("2\n", to: "g")
      try test.setOwner(33, 33, of: "g")
      try test.makeDirectory("d")
      try test.setOwner(33, 12, of: "d")
    },
    likeCP: { test in
      try test.copy("-p", "f", "new", under: .sandbox(.withoutPrivileges))
      try test.copy("-p", "g", "new2", under: .sandbox(.withoutPrivileges))
      try test.copy("-a", "d", "new3", under: .sandbox(.withoutPrivileges))
    }
  )

  private static let lostAttributes = Trap(
    "T18",
    "lost attributes are ignored, reported or fatal as requested, and a failing disk is fatal",
    stage: { test in
      // A ramfs cannot store attributes.
      try test.mount("ramfs", at: "r")
      try test.makeDirectories("r/a", "r/b", "r/c")
      try test.write("1\n", to: "f")
      try test.setAttribute("user.a", to: "1", of: "f")
      try test.write("2\n", to: "e")
      // The first attribute is in /etc/xattr.conf.
      try test.setAttribute("user.Beagle.x", to: "1", of: "e")
      try test.setAttribute("user.k", to: "2", of: "e")
    },
    expect: { test in
      test.expect(try test.copy("-a", "f", "r/a"), is: .success)
      test.expect(try test.copy("--preserve=all", "f", "r/b"), is: .success)
      let requested = try test.copy("--preserve=xattr", "f", "r/c")
      let unsupported = "cp: setting attributes for 'r/c/f': Operation not supported"
      test.expect(requested, is: .failure(unsupported))

      try test.copy("-a", "e", "new")
      test.expect(test.attributes(of: "new"), is: ["user.k": "2"])
      for error: SystemError in [.ioError, .noSpace] {
        let copy = try test.copy("-a", "f", "new2", under: .sandbox(.denied(.fsetxattr, error)))
        test.expect(copy, is: .failure("cp: setting attribute 'user.a' for 'new2': \(error)"))
      }
    }
  )

  private static let readOnlyFiles = Trap(
    "T19",
    "attributes are set on a copy that will be read-only",
    stage: { test in
      try test.write("1\n", to: "f", mode: 0o444)
      try test.setAttribute("user.a", to: "1", of: "f")
      try test.write("old\n", to: "g")
    },
    // For the superuser, cp does not make the file writable first.
    expect: { test in
      try test.copy("-a", "f", "new", under: .sandbox(.withoutPrivileges))
      try test.copy("-a", "f", "g", under: .sandbox(.withoutPrivileges))
      for copy in ["new", "g"] {
        test.expect(test.attributes(of: copy), is: ["user.a": "1"])
        test.expect(test.mode(of: copy), is: "444")
      }
    }
  )

  private static let linkAttributes = Trap(
    "T20",
    "the time and the owner of a link itself are preserved",
    stage: { test in
      try test.write("1\n", to: "t/f")
      try test.makeLink("t/l", to: "f")
      try test.makeLink("t/dangling", to: "/nowhere")
      try test.makeLink("t/theirs", to: "f")
      try test.setOwner(12, 34, of: "t/theirs")
      try test.setTime(3, of: "t/theirs")
      try test.setTime(5, of: "t/f")
      try test.setTime(7, nanoseconds: 9, of: "t/l")
      try test.setTime(8, of: "t/dangling")
      try test.setTime(6, of: "t")
    },
    likeCP: { test in
      try test.copy("-a", "t", "u")
      try test.compareTimes(of: "u")
    }
  )
}
