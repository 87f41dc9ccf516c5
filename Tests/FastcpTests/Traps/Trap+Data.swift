import IOChannelsTestSupport
import IOChannelsSystem

extension Trap {
  /// The bytes of files, and their place on the disk.
  static let data = [
    sizes, refusedRanges, refusedClones, holes, changingExtents, refusedHoles, reservedSpace,
  ]

  private static let sizes = Trap(
    "T21",
    "the reported size is a hint",
    stage: { test in try test.makeDirectory("to") },
    likeCP: { test in
      for file in ["/proc/version", "/proc/filesystems", "/sys/devices/system/cpu/online"] {
        try test.copy(file, "to/copy")
        test.expect(test.haveSameBytes(file, "to/copy"), is: true)
        // The copy is read-only, as its source.
        try test.remove("to/copy")
      }
      try test.copy("--sparse=always", "/proc/filesystems", "to/sparse")
      test.expect(test.haveSameBytes("/proc/filesystems", "to/sparse"), is: true)
    }
  )

  /// On a known file system, the copier does not call `copy_file_range` because the kernel would
  /// move pages, too. On FUSE it would move cached pages.
  private static let refusedRanges = Trap(
    "T24",
    "a refused copy_file_range is replaced by another method, and generated files are copied",
    extras: [.faulty],
    naiveLoopPasses: "it reads and writes, and calls nothing that may be unknown",
    stage: { test in
      try test.write(test.bytes(200_000), to: "far/g")
      try test.write(test.bytes(300_000), to: "faulty/f")
    },
    expect: { test in
      test.workingDirectory = "faulty"
      for error: SystemError in [
        .notPermitted, .ioError, .improperLink, .invalidArgument, .textFileBusy, .noFunction,
        .notSupported,
      ] {
        try test.copy(
          "f",
          "new",
          under: .sandbox(.denied(.ioctl, .notSupported), .denied(.copyFileRange, error))
        )
        test.expect(test.haveSameBytes("faulty/f", "faulty/new"), is: true)
        try test.remove("faulty/new")
      }
      try test.copy("/proc/version", "v")
      test.expect(test.haveSameBytes("/proc/version", "faulty/v"), is: true)
      try test.copy("\(test.path)/far/g", "h")
      test.expect(test.haveSameBytes("far/g", "faulty/h"), is: true)
      test.expect(test.names(in: "faulty"), is: ["f", "h", "v"])
    }
  )

  private static let refusedClones = Trap(
    "T25",
    "only a clone that is not supported is replaced by a copy",
    naiveLoopPasses: "it makes no clones, so none of them can fail",
    stage: { test in
      try test.write(test.bytes(300_000), to: "f")
      try test.write("kept\n", to: "old")
    },
    expect: { test in
      for error: SystemError in [
        .inappropriateIOCTLForDevice, .notSupported, .improperLink, .invalidArgument,
      ] {
        try test.copy("f", "new", under: .sandbox(.denied(.ioctl, error)))
        test.expect(test.haveSameBytes("f", "new"), is: true)
        try test.remove("new")
      }
      for error: SystemError in [.ioError, .noMemory, .noSpace, .quotaExceeded] {
        let copy = try test.copy("f", "new", under: .sandbox(.denied(.ioctl, error)))
        test.expect(copy, is: .failure("cp: failed to clone 'new' from 'f': \(error)"))
      }
      for name in ["new", "old"] {
        let copy = try test.copy(
          "--reflink=always",
          "f",
          name,
          under: .sandbox(.denied(.ioctl, .notSupported))
        )
        let message = "cp: failed to clone '\(name)' from 'f': Operation not supported"
        test.expect(copy, is: .failure(message))
      }
      test.expect(test.names(in: "."), is: ["f", "old"])
      test.expect(test.text(of: "old"), is: "kept\n")
    }
  )

  private static let holes = Trap(
    "T26",
    "holes stay holes, on this file system and from another one",
    stage: { test in
      let data = test.bytes(128 << 10)
      try test.write(data, intoHoleOf: "s", at: 5 << 20, size: 10 << 20)
      try test.write(data, intoHoleOf: "far/s", at: 5 << 20, size: 10 << 20)
      try test.write([], intoHoleOf: "all", at: 0, size: 3 << 20)
      try test.write(test.bytes(200_000), to: "dense")
      let large = test.bytes(4_000_000)
      try test.write(large + large + large, to: "old")
      try test.flush("s")
    },
    likeCP: { test in
      func check(_ source: String, _ copy: String) {
        test.expect(test.haveSameBytes(source, copy), is: true)
        test.compare(test.isSparse(copy))
      }
      try test.copy("s", "s1")
      check("s", "s1")
      try test.copy("--reflink=never", "s", "s2")
      check("s", "s2")
      try test.copy("far/s", "s3")
      check("far/s", "s3")
      try test.copy("all", "a1")
      check("all", "a1")
      try test.copy("s", "old")
      check("s", "old")
      try test.copy("dense", "d1")
      check("dense", "d1")
    }
  )

  private static let changingExtents = Trap(
    "T27",
    "a loop over extents ends while they change",
    extras: [.faulty],
    naiveLoopPasses: "it asks for no extents; that it waits for missing bytes is another trap",
    stage: { test in try test.makeDirectory("to") },
    expect: { test in
      func makeSource() throws {
        try test.write(test.bytes(512 << 10), intoHoleOf: "behind/s", at: 5 << 20, size: 10 << 20)
      }
      for target in ["faulty/s2", "to/s2"] {
        try makeSource()
        // The last extent is lost after the copier has found it, and before it reads it.
        let copy = try test.copy("faulty/s", target, holding: "lseek s 3") {
          try test.setSize(1 << 20, of: "behind/s")
        }
        test.expect(copy, is: .failure("cp: file 'faulty/s' was changed while being copied"))
      }
      try makeSource()
      try test.copy("faulty/s", "to/s3")
      test.expect(test.haveSameBytes("behind/s", "to/s3"), is: true)
    }
  )

  private static let refusedHoles = Trap(
    "T28",
    "a hole that cannot be created fails the file",
    stage: { test in
      try test.write(test.bytes(128 << 10), intoHoleOf: "s", at: 5 << 20, size: 10 << 20)
      try test.write("1\n", to: "f")
      try test.makeDirectory("to")
    },
    expect: { test in
      for sparse in ["--sparse=auto", "--sparse=always"] {
        let copy = try test.copy(
          "--reflink=never",
          sparse,
          "s",
          "f",
          "to",
          under: .sandbox(.fileSize(9_000_000))
        )
        test.expect(copy, is: .failure("cp: failed to extend 'to/s': File too large"))
        test.expect(test.names(in: "to"), is: ["f"])
      }
    }
  )

  private static let reservedSpace = Trap(
    "T29",
    "reserved space reads as zeros in the copy",
    naiveLoopPasses: "it reads all bytes, and the kernel returns the zeros",
    stage: { test in
      try test.reserve(3 << 20, in: "p", writing: test.bytes(4096), at: 300 * 4096)
      try test.reserve(4 << 20, in: "q", mode: .keepSize)
      try test.makeDirectory("to")
    },
    likeCP: { test in
      for option in ["--reflink=auto", "--reflink=never", "--sparse=never", "--sparse=always"] {
        try test.copy(option, "p", "q", "to")
        test.expect(test.haveSameBytes("p", "to/p"), is: true)
        test.compare(test.size(of: "to/q"))
      }
    }
  )
}
