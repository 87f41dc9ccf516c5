import IOChannelsTestSupport

extension Trap {
  /// Names of one file, special files, and copies that are repeated.
  static let links = [hardLinks, unopenedFiles, specialFiles, repeatedCopy]

  private static let hardLinks = Trap(
    "T33",
    "names of one file are names of one copy",
    stage: { test in
      try test.write("1\n", to: "t/a")
      try test.makeHardLink("t/b", to: "t/a")
      try test.makeHardLink("t/d/c", to: "t/a")
      try test.makeLink("t/l", to: "x")
      try test.makeHardLink("t/d/l", to: "t/l")
      try test.write(test.bytes(300_000), to: "t/big")
      try test.makeHardLink("t/d/big", to: "t/big")
      try test.write("2\n", to: "q/a")
      try test.makeLink("q/b", to: "a")
      try test.makeHardLink("q/c", to: "q/a")
      try test.write("3\n", to: "old")
      try test.makeHardLink("old2", to: "old")
      try test.makeDirectory("to")
    },
    likeCP: { test in
      try test.copy("-a", "t", "u")
      test.compare(test.inode(of: "u/a") == test.inode(of: "u/d/c"))
      test.compare(test.inode(of: "u/big") == test.inode(of: "u/d/big"))
      try test.copy("-d", "--preserve=links", "t/a", "t/b", "t/big", "to")
      try test.copy("-rL", "--preserve=links", "q", "r")
      try test.copy("-a", "t/a", "old")
      test.compare(test.text(of: "old2"))
    }
  )

  private static let unopenedFiles = Trap(
    "T34",
    "special files in a tree are not opened",
    stage: { test in
      try test.makeDirectory("t")
      try test.makeCharacterDevice("t/device", 240, 99, mode: 0o666)
      try test.makeFIFO("t/p")
      try test.makeSocket("t/s")
      try test.write("1\n", to: "t/f")
    },
    likeCP: { test in
      // The writer ends when the FIFO gets a reader.
      let writer = try test.startWriter("leaked\n", to: "t/p")
      try test.copy("-r", "t", "u")
      test.expect(writer.hasEnded, is: false)
    }
  )

  private static let specialFiles = Trap(
    "T35",
    "special files are created again, or reported",
    stage: { test in
      try test.makeDirectory("t")
      try test.makeCharacterDevice("t/null", 1, 3, mode: 0o640)
      try test.makeBlockDevice("t/block", 7, 200, mode: 0o600)
      try test.makeFIFO("t/p", mode: 0o620)
      try test.makeSocket("t/s", mode: 0o700)
      try test.write("1\n", to: "t/f")
      try test.setTime(7, of: "t/null", "t/block", "t/p", "t/s", "t/f")
      try test.setTime(8, of: "t")
    },
    likeCP: { test in
      try test.copy("-a", "t", "u")
      try test.compareTimes(of: "u")
    }
  )

  private static let repeatedCopy = Trap(
    "T36",
    "the same copy succeeds again",
    stage: { test in
      try test.makeDirectory("t/d")
      try test.makeFIFO("t/p")
      try test.makeLink("t/l", to: "f")
      try test.makeLink("t/dangling", to: "/nowhere")
      try test.write("1\n", to: "t/f")
      try test.makeHardLink("t/d/f", to: "t/f")
      try test.makeHardLink("t/d/l", to: "t/l")
      try test.setTime(5, of: "t/p", "t/l", "t/dangling", "t/f")
      try test.setTime(6, of: "t", "t/d")
    },
    likeCP: { test in
      for _ in 1...3 { try test.copy("-aT", "t", "u") }
      try test.compareTimes(of: "u")
    }
  )
}
