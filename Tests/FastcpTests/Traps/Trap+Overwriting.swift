import IOChannelsTestSupport

extension Trap {
  /// Existing files, and options about them.
  static let overwriting = [force, update, backups]

  private static let force = Trap(
    "T8",
    "-f removes only files that cannot be opened, and the last option about existing files counts",
    stage: { test in
      try test.write("new\n", to: "f")
      try test.write("old\n", to: "g")
      try test.write("1\n", to: "n")
      // A running program cannot be opened for writing.
      try runSuccessfully(["cp", "/usr/bin/sleep", "busy"], directory: test.path)
      try test.give("busy", mode: 0o755)
    },
    likeCP: { test in
      let inode = test.inode(of: "g")
      try test.copy("-f", "f", "g")
      test.compare(test.inode(of: "g") == inode)
      try test.copy("--remove-destination", "f", "g")
      test.compare(test.text(of: "g"))

      let program = try ChildProcess(["\(test.path)/busy", "60"])
      try test.copy("f", "busy")
      test.compare(test.haveSameBytes("f", "busy"))
      try test.copy("-f", "f", "busy")
      test.compare(test.text(of: "busy"))
      program.send(signal: 9)

      try test.copy("-n", "f", "n")
      try test.copy("-in", "f", "n")
      try test.copy("-fn", "f", "n")
      test.compare(test.text(of: "n"))
      try test.copy("-ni", "f", "n", input: "y\n")
      test.compare(test.text(of: "n"))
    }
  )

  private static let update = Trap(
    "T9",
    "-u replaces only older files, and still creates links",
    stage: { test in
      try test.write("new\n", to: "s/a")
      try test.write("newer\n", to: "to/s/a")
      try test.write("new\n", to: "s/b")
      try test.write("old\n", to: "to/s/b")
      try test.write("1\n", to: "s/c")
      try test.makeHardLink("s/d", to: "s/c")
      try test.write("2\n", to: "to/s/c")
      try test.write("2\n", to: "to/s/d")
      try test.setTime(1000, of: "s/a", "to/s/b")
      try test.setTime(2000, of: "s/b", "to/s/a")
      try test.setTime(1500, of: "s/c", "to/s/c", "to/s/d")
    },
    likeCP: { test in
      try test.copy("-au", "s", "to")
      try test.copy("-u", "s/a", "to/s/b")
    }
  )

  private static let backups = Trap(
    "T10",
    "a backup is created first, undone on failure, and never destroys the source",
    stage: { test in
      try test.write("new\n", to: "f")
      try test.write("old\n", to: "g")
      try test.write("source\n", to: "s~")
      try test.write("1\n", to: "s")
      try test.write("precious\n", to: "h")
      try test.makeSocket("sock")
      try test.makeDirectory("t")
    },
    likeCP: { test in
      try test.copy("-b", "f", "g")
      test.compare(test.text(of: "g"))
      test.compare(test.text(of: "g~"))
      try test.copy("--backup=numbered", "f", "g")
      try test.copy("-b", "s~", "s")
      test.compare(test.text(of: "s"))
      test.compare(test.text(of: "s~"))
      // The copy of a socket fails after the backup.
      try test.copy("-b", "sock", "h")
      test.compare(test.text(of: "h"))
      try test.copy("-b", "f", "f", "t")
    }
  )
}
