import IOChannelsTestSupport

extension Trap {
  /// Operands and links that are followed.
  static let operands = [
    targets, targetDirectory, sameFile, ownCopies, intoItself, kinds, danglingLinks, followedLinks,
  ]

  private static let targets = Trap(
    "T1",
    "operands end where cp puts them",
    stage: { test in
      try test.write("1\n", to: "a/f")
      try test.write("2\n", to: "a/in/g")
      try test.write("3\n", to: "f")
      try test.makeLink("link", to: "f")
      try test.makeDirectories("to", "up")
    },
    likeCP: { test in
      try test.copy("-r", "a", "to")
      try test.copy("-r", "a", "new")
      try test.copy("-r", "a/", "to2")
      try test.copy("-r", "a/.", "dot")
      try test.copy("-rT", "a", "to")
      try test.copy("-r", "a/in/..", "up")
      try test.copy("f", "to/")
      try test.copy("f", "missing/")
      try test.copy("f", "a/f", "to")
      try test.copy("-t", "to", "f")
      try test.copy("f", "to/x/y")
      try test.copy("--strip-trailing-slashes", "-r", "a/", "to/stripped")
      try test.copy("-d", "link/", "to")
    }
  )

  private static let targetDirectory = Trap(
    "T2",
    "the target directory is opened once",
    stage: { test in
      try test.makeDirectories("to", "elsewhere")
      try test.makeFIFO("p")
      try test.makeFIFO("q")
    },
    likeCP: { test in
      let writer = try test.startWriter("y\n", to: "q")
      // While the first FIFO is copied, another directory takes the name of the target.
      try test.copy("p", "q", "to", oneAtATime: true, feeding: "p", into: "to/p") {
        try test.rename("to", to: "kept")
        try test.makeLink("to", to: "elsewhere")
      }
      test.compare(try test.eventually { writer.hasEnded })
      test.compare(test.text(of: "kept/p"))
      test.compare(test.text(of: "kept/q"))
      test.compare(test.names(in: "elsewhere"))
    }
  )

  private static let sameFile = Trap(
    "T3",
    "a file is not copied onto itself",
    stage: { test in
      try test.write("precious\n", to: "t/f")
      try test.makeHardLink("t/hard", to: "t/f")
      try test.makeLink("t/soft", to: "f")
      try test.makeLink("t/d/soft", to: "../f")
    },
    likeCP: { test in
      test.workingDirectory = "t"
      for target in ["f", "hard", "soft", "d/soft", "./f"] {
        try test.copy("f", target)
        test.compare(test.text(of: "t/f"))
      }
      try test.copy("soft", "f")
      try test.copy("-d", "soft", "f")
      try test.copy("-b", "f", "f")
      try test.copy("-bf", "f", "hard")
      try test.copy("--remove-destination", "f", "hard")
      try test.copy("-l", "f", "hard")
      try test.copy("-s", "f", "soft")
      try test.copy("soft", "d")
    }
  )

  private static let ownCopies = Trap(
    "T4",
    "a file that the same run created is not overwritten",
    stage: { test in
      try test.write("1\n", to: "a/f")
      try test.write("2\n", to: "b/f")
      try test.write("3\n", to: "a/sub/x")
      try test.write("4\n", to: "b/sub/x")
      try test.write("5\n", to: "b/l")
      try test.write("victim\n", to: "victim")
      try test.makeLink("a/l", to: "../victim")
      try test.makeDirectory("to")
    },
    likeCP: { test in
      try test.copy("a/f", "b/f", "to")
      try test.copy("a/f", "a/f", "to")
      try test.copy("-r", "a/sub", "b/sub", "to")
      // The first operand creates a link, through which the second one must not write.
      try test.copy("-r", "a/l", "b/l", "to")
      test.compare(test.text(of: "victim"))
    }
  )

  private static let intoItself = Trap(
    "T5",
    "a directory is not copied into itself, and a file with an equal inode number is copied",
    stage: { test in
      try test.write("1\n", to: "d/f")
      try test.write("2\n", to: "e/f")
      try test.makeDirectories("d/sub", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8")
      try test.mount("tmpfs", at: "fresh")
    },
    // The copy with cp lacks names that its listing has behind the new directory.
    expect: { test in
      let into = try test.copy("-r", "d", "d/new")
      test.expect(into, is: .failure("cp: cannot copy a directory, 'd', into itself, 'd/new'"))
      test.expect(
        test.paths(in: "d"),
        is: [".", "./f", "./new", "./new/f", "./new/sub", "./sub"]
      )
      let onto = try test.copy("-r", "e", "e")
      test.expect(onto, is: .failure("cp: cannot copy a directory, 'e', into itself, 'e/e'"))
      test.expect(test.paths(in: "e"), is: [".", "./e", "./e/f", "./f"])

      // The smallest number is reached soonest.
      let targets = (1...8).map { "t\($0)" }
      guard let target = targets.min(by: { test.inode(of: $0) ?? 0 < test.inode(of: $1) ?? 0 })
      else { return }
      try test.makeFile("fresh/s/x", withInodeOf: target)
      test.expect(try test.copy("-rT", "fresh/s", target), is: .success)
      test.expect(test.names(in: target), is: ["x"])
    }
  )

  private static let kinds = Trap(
    "T6",
    "a directory does not replace a file, nor a file a directory",
    stage: { test in
      try test.write("1\n", to: "d/f")
      try test.write("2\n", to: "d/sub/x")
      try test.write("keep\n", to: "to/d/sub")
      try test.makeDirectories("to/d/f", "outside", "to2")
      try test.makeLink("to2/d", to: "../outside")
    },
    likeCP: { test in
      try test.copy("-r", "d", "to")
      test.compare(test.text(of: "to/d/sub"))
      try test.copy("-r", "d", "to2")
      test.compare(test.names(in: "outside"))
      try test.copy("-r", "d", "d/f")
      try test.copy("d/f", "to/d")
    }
  )

  private static let danglingLinks = Trap(
    "T7",
    "nothing is written through a dangling link",
    stage: { test in
      try test.write("1\n", to: "f")
      try test.write("2\n", to: "d/l")
      try test.makeLink("dangling", to: "nowhere")
      try test.makeLink("to/d/l", to: "../../nowhere2")
    },
    expect: { test in
      let file = try test.copy("f", "dangling")
      test.expect(file, is: .failure("cp: not writing through dangling symlink 'dangling'"))
      let tree = try test.copy("-r", "d", "to")
      test.expect(tree, is: .failure("cp: not writing through dangling symlink 'to/d/l'"))
      test.expect(test.names(in: "."), is: ["d", "dangling", "f", "to"])
      test.expect(test.target(of: "dangling"), is: "nowhere")
      test.expect(test.target(of: "to/d/l"), is: "../../nowhere2")

      try test.copy("--remove-destination", "f", "dangling")
      test.expect(test.text(of: "dangling"), is: "1\n")
      test.expect(test.names(in: "."), is: ["d", "dangling", "f", "to"])
    }
  )

  private static let followedLinks = Trap(
    "T11",
    "links are followed where options request it",
    stage: { test in
      try test.write("1\n", to: "d/f")
      try test.makeDirectory("d/sub")
      try test.makeLink("d/l", to: "f")
      try test.makeLink("d/dl", to: "sub")
      try test.makeLink("k", to: "d")
      try test.makeLink("l", to: "d/f")
    },
    likeCP: { test in
      try test.copy("l", "plain")
      try test.copy("-r", "l", "kept")
      try test.copy("-r", "k", "kept2")
      try test.copy("-r", "k/", "tree")
      try test.copy("-rH", "k", "h")
      try test.copy("-rL", "d", "deep")
      try test.copy("-rP", "k", "p")
      try test.copy("k", "nodir")
    }
  )
}
