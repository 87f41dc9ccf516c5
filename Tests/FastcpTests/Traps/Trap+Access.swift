import IOChannelsTestSupport

extension Trap {
  /// The umask, access lists and inherited groups.
  static let access = [umask, accessLists, setGroupID, inheritedRights]

  private static let umask = Trap(
    "T16",
    "the umask applies to new files, or the default access list of their directory",
    stage: { test in
      try test.write("1\n", to: "f", mode: 0o666)
      try test.makeDirectory("d", mode: 0o777)
      try test.write("2\n", to: "d/x")
      try test.makeDirectory("to")
      try test.addDefaultAccess("u::rwx,g::rwx,o::r", to: "to")
    },
    // Below a list, cp takes the umask for the files of a new directory.
    expect: { test in
      test.umask = "077"
      try test.copy("f", "new")
      try test.copy("-r", "d", "newd")
      try test.copy("f", "to")
      try test.copy("-r", "d", "to")
      try test.copy("-p", "f", "exact")
      test.expect(test.mode(of: "new"), is: "600")
      test.expect(test.mode(of: "newd"), is: "700")
      test.expect(test.mode(of: "newd/x"), is: "600")
      test.expect(test.mode(of: "exact"), is: "666")
      test.expect(test.mode(of: "to/f"), is: "664")
      test.expect(test.mode(of: "to/d"), is: "774")
      test.expect(test.mode(of: "to/d/x"), is: "644")
    }
  )

  private static let accessLists = Trap(
    "T44",
    "the default access list of a directory gives no user additional rights",
    stage: { test in
      try test.write("1\n", to: "f", mode: 0o640)
      try test.makeDirectory("d", mode: 0o700)
      try test.write("2\n", to: "d/f", mode: 0o600)
      try test.write("3\n", to: "l")
      try test.addAccess("u:44:rw", to: "l")
      try test.setMode(0o664, of: "l")
      try test.write("4\n", to: "old", mode: 0o600)
      try test.addAccess("u:33:rw", to: "old")
      try test.makeFIFO("p", mode: 0o640)
      try test.makeDirectories("to", "to2")
      try test.addDefaultAccess("u:33:rwx,g:12:rwx", to: "to")
    },
    likeCP: { test in
      try test.copy("-p", "f", "to")
      try test.copy("-rp", "d", "to")
      try test.copy("f", "to/plain")
      try test.copy("-r", "d", "to/plaind")
      try test.copy("-p", "l", "to")
      try test.copy("l", "to2")
      try test.copy("-p", "l", "to2/kept")
      try test.copy("-p", "f", "old")
      try test.copy("-p", "p", "to/m", feeding: "p", into: "to/m") {
        test.compare(try test.accessList(of: "to/m"))
      }
    }
  )

  private static let inheritedRights = Trap(
    "T76",
    "a directory that others can change passes nothing on to a copy",
    stage: { test in
      try test.write("1\n", to: "s/a", mode: 0o640)
      try test.makeHardLink("s/b", to: "s/a")
      try test.makeFIFO("s/p", mode: 0o640)
      try test.makeDirectory("to")
      try test.setOwner(test.user.identifier, 12, of: "to")
      try test.setMode(0o2777, of: "to")
      try test.addDefaultAccess("u:33:rwx", to: "to")
    },
    expect: { test in
      try test.copy("-a", "s", "to/one")
      test.expect(test.differences("s", "to/one"), is: [])
      try test.copy("-dRp", "s", "to/two")
      test.expect(test.differences("s", "to/two"), is: [])
    }
  )

  private static let setGroupID = Trap(
    "T45",
    "a directory below a set-group-ID directory keeps that bit",
    stage: { test in
      try test.makeDirectories("d/sub", "to")
      try test.write("1\n", to: "d/f")
      try test.setOwner(test.user.identifier, 12, of: "to")
      try test.setMode(0o2775, of: "to")
    },
    likeCP: { test in
      try test.copy("-r", "d", "to")
      try test.copy("-r", "--no-preserve=mode", "d", "to/plain")
      try test.copy("-r", "d/.", "to")
    }
  )
}
