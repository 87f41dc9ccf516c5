import IOChannelsTestSupport

extension Trap {
  /// Names that are left out, and lists of sources.
  static let filters = [patterns, flawedPatterns, gitIgnore, gitIgnoredOnly, fileLists]

  private static let patterns = Trap(
    "T61",
    "the last pattern that matches a name decides, and a directory that is left out is not read",
    stage: { test in
      for name in ["t/a.o", "t/a.c", "t/d/b.o", "t/d/keep.o", "t/out/keep.o"] {
        try test.write("1\n", to: name)
      }
      try test.makeDirectory("to.o")
    },
    expect: { test in
      let options = ["--exclude=*.o", "--exclude=/out", "--include=keep.o"]
      let copy = try test.copy("-r", options[0], options[1], options[2], "t", "u")
      test.expect(copy, is: .success)
      test.expect(test.names(in: "u"), is: ["a.c", "d"])
      test.expect(test.names(in: "u/d"), is: ["keep.o"])
      test.expect(try test.copy(options[0], "t/a.o", "to.o"), is: .success)
      test.expect(test.names(in: "to.o"), is: ["a.o"])
    }
  )

  private static let flawedPatterns = Trap(
    "T62",
    "an invalid pattern is reported before anything is copied",
    stage: { test in
      try test.write("1\n", to: "t/f")
      try test.write("# comment\nx\na[\n", to: "p")
    },
    expect: { test in
      test.expect(
        try test.copy("-r", "--exclude-from=p", "t", "u"),
        is: .failure("cp: invalid pattern 'a[' in line 3 of 'p': '[' has no closing ']'")
      )
      test.expect(test.names(in: "u"), is: nil)
    }
  )

  private static let gitIgnore = Trap(
    "T63",
    "patterns for git are read where they stand, and a link is not followed",
    stage: { test in
      try test.write("*.o\n/out/\n", to: "t/.gitignore")
      try test.write("!keep.o\nx\n", to: "t/d/.gitignore")
      try test.write("*\n", to: "all")
      try test.makeDirectory("t/e")
      try test.makeLink("t/e/.gitignore", to: "../../all")
      for name in ["t/.git/f.o", "t/a.o", "t/x", "t/out/f", "t/d/keep.o", "t/d/x", "t/e/f"] {
        try test.write("1\n", to: name)
      }
    },
    expect: { test in
      test.expect(try test.copy("-a", "--gitignore", "t", "u"), is: .success)
      test.expect(test.names(in: "u"), is: [".git", ".gitignore", "d", "e", "x"])
      test.expect(test.names(in: "u/.git"), is: ["f.o"])
      test.expect(test.names(in: "u/d"), is: [".gitignore", "keep.o"])
      test.expect(test.names(in: "u/e"), is: [".gitignore", "f"])
    }
  )

  private static let gitIgnoredOnly = Trap(
    "T64",
    "only names that git ignores are copied, and no work tree among them",
    stage: { test in
      try test.write("/out/\n*.o\n", to: "t/.gitignore")
      try test.write("gitdir: nowhere\n", to: "t/out/linked/.git")
      for name in ["t/a.c", "t/d/a.o", "t/d/a.c", "t/e/a.c", "t/out/f", "t/out/linked/f"] {
        try test.write("1\n", to: name)
      }
      try test.makeDirectory("u")
      try test.write("old\n", to: "u/d/a.c", mode: 0o600)
    },
    expect: { test in
      test.expect(try test.copy("-aT", "--git-ignored-only", "t", "u"), is: .success)
      test.expect(test.names(in: "u"), is: ["d", "out"])
      test.expect(test.names(in: "u/d"), is: ["a.c", "a.o"])
      test.expect(test.text(of: "u/d/a.c"), is: "old\n")
      test.expect(test.names(in: "u/out"), is: ["f"])
    }
  )

  private static let fileLists = Trap(
    "T65",
    "a list names sources by all their bytes",
    stage: { test in
      for name in ["line\nbreak", "-x", "d/f", " "] { try test.write("1\n", to: name) }
      try test.makeDirectory("to")
    },
    expect: { test in
      let names = "line\nbreak\0-x\0d/../d/f\0\(test.path)/ "
      let copy = try test.copy("--files-from=-", "--null", "to", input: names)
      test.expect(copy, is: .success)
      test.expect(test.names(in: "to"), is: [" ", "-x", "f", "line\nbreak"])
      test.expect(
        try test.copy("--files-from=-", "to", input: "d/f\0"),
        is: .failure("cp: zero byte in a name from '-'; if names end with it, add --null")
      )
    }
  )
}
