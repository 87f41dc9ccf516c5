import FileCopy
import IOChannelsTestSupport
import Testing

/// What single files and operands must hold to.
@Suite("Rules of copies")
struct FileRuleTests {
  @Test("Set-id bits need a preserved mode (T14)")
  func setIdIsDropped() throws {
    let place = try CopyPlace()
    try place.shell("echo x > f; chmod 6755 f; mkdir d; cp -p f d/f")
    #expect(place.copy("f", to: "g", CopyOptions()).isComplete)
    #expect(place.copy("d", to: "e", .recursive).isComplete)
    #expect(try place.stat("g", "%a") == "755")
    #expect(try place.stat("e/f", "%a") == "755")
  }

  @Test("New files get the source's mode less the mask (T12, T16)")
  func mask() throws {
    let place = try CopyPlace()
    try place.shell("echo x > f; chmod 666 f; mkdir d; chmod 777 d; cp f model; cp -r d dmodel")
    #expect(place.copy("f", to: "g", CopyOptions()).isComplete)
    #expect(place.copy("d", to: "e", .recursive).isComplete)
    #expect(try place.stat("g", "%a") == place.stat("model", "%a"))
    #expect(try place.stat("e", "%a") == place.stat("dmodel", "%a"))
  }

  @Test("A directory inside one that hands on its group keeps doing so (T45)")
  func setGroup() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p d/sub to; chmod 755 d d/sub; chmod 2775 to")
    #expect(place.copy("d", to: "to", .recursive).isComplete)
    #expect(try place.stat("to/d/sub", "%a") == "2755")
  }

  @Test("An existing file keeps its identity and mode and is cut to length (T15)")
  func existing() throws {
    let place = try CopyPlace()
    for size in [10, 200_000] {
      try place.shell(
        "head -c \(size) /dev/urandom > f; head -c 300000 /dev/urandom > g; chmod 640 g"
      )
      let inode = try place.stat("g", "%i")
      #expect(place.copy("f", to: "g", CopyOptions()).isComplete)
      try place.shell("cmp f g")
      #expect(try place.stat("g", "%i %a") == "\(inode) 640")
    }
  }

  @Test("A file with other names is not written to when names are preserved")
  func existingWithNames() throws {
    let place = try CopyPlace()
    try place.shell("echo new > f; echo old > g; ln g other")
    #expect(place.copy("f", to: "g").isComplete)
    #expect(try place.shell("cat g other") == "new\nold\n")
  }

  @Test("Files of the kernel are read to their end, whatever their length (T21)")
  func kernelFiles() throws {
    let place = try CopyPlace()
    var options = CopyOptions()
    options.metadata.preserved = []
    for path: BytePath in [
      "/proc/version", "/proc/filesystems", "/sys/kernel/mm/transparent_hugepage/enabled",
    ] {
      let report = FileCopier(options).report(from: path, to: place.path("copy"))
      #expect(report.isComplete)
      #expect(try place.shell("cmp \(path) copy && wc -c < copy") != "0\n")
    }
  }

  @Test("A FIFO in a tree is made anew and never opened (T34)", .ends(withinMinutes: 10))
  func fifo() throws {
    let place = try CopyPlace()
    try place.shell("mkdir d; mkfifo d/p")
    #expect(place.copy("d", to: "e", .recursive).specialFileCount == 1)
    #expect(try place.stat("e/p", "%F") == "fifo")
  }

  @Test("A link is followed without recursion and kept with it (T11)")
  func following() throws {
    let place = try CopyPlace()
    try place.shell("echo x > f; ln -s f l; mkdir d; ln -s d dl; echo y > d/g")
    #expect(place.copy("l", to: "plain", CopyOptions()).isComplete)
    #expect(try place.stat("plain", "%F") == "regular file")
    #expect(place.copy("l", to: "kept", .recursive).isComplete)
    #expect(try place.stat("kept", "%F") == "symbolic link")
    #expect(place.copy("dl/", to: "dir", .recursive).isComplete)
    #expect(try place.shell("cat dir/g") == "y\n")
  }

  @Test("With links followed everywhere, a cycle ends")
  func cycle() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p d/sub; ln -s .. d/sub/up; echo x > f; ln -s ../f d/l")
    var options = CopyOptions.recursive
    options.tree.following = .everything
    let report = place.copy("d", to: "e", options)
    #expect(place.texts(report) == ["cannot copy cyclic symbolic link 'd/sub/up'"])
    #expect(try place.shell("cat e/l; find e | sort") == "x\ne\ne/l\ne/sub\n")
  }

  @Test("The source is never damaged by a copy onto itself (T3)")
  func sameFile() throws {
    let place = try CopyPlace()
    try place.shell("echo x > f; ln f hard; ln -s f soft")
    for destination in ["f", "hard", "soft"] {
      let report = place.copy("f", to: destination, CopyOptions())
      #expect(place.texts(report) == ["'f' and '\(destination)' are the same file"])
    }
    #expect(try place.shell("cat f") == "x\n")
  }

  @Test(
    "A directory inside itself is refused once, and its neighbours are copied (T5)",
    .needs(.root)
  )
  func intoItself() throws {
    // A copy that follows itself ends here when the inodes do.
    let small = try MemoryFileSystem(kibibytes: 1024, inodes: 100)
    let place = try CopyPlace(in: small.path)
    try place.shell("mkdir -p d/sub; echo x > d/f")
    let report = place.copy("d", to: "d/new", .recursive)
    #expect(place.texts(report) == ["cannot copy a directory, 'd', into itself, 'd/new'"])
    #expect(try place.shell("find d | sort") == "d\nd/f\nd/new\nd/new/f\nd/new/sub\nd/sub\n")
  }

  @Test("A dangling link is not written through, nor any link inside a tree (T7, T42)")
  func links() throws {
    let place = try CopyPlace()
    try place.shell(
      "echo x > f; ln -s nowhere g; mkdir d e; echo new > d/f; echo old > o; ln -s ../o e/f"
    )
    #expect(
      place.texts(place.copy("f", to: "g", CopyOptions()))
        == ["not writing through dangling symlink 'g'"]
    )
    let report = place.copy("d/.", to: "e", .recursive)
    #expect(place.texts(report) == ["not writing through symlink 'e/./f'"])
    #expect(try place.shell("cat o; ls") == "old\nd\ne\nf\ng\no\n")
  }

  @Test("A full file system leaves no part of a file under its name (T31)", .needs(.root))
  func full() throws {
    let place = try CopyPlace()
    let small = try MemoryFileSystem(kibibytes: 256)
    try place.shell(
      "mkdir d; head -c 1000000 /dev/urandom > d/large; "
        + "for i in {1..8}; do head -c 60000 /dev/urandom > d/$i; done"
    )
    let report = FileCopier(.recursive).report(
      from: place.path("d"),
      to: BytePath(small.path + "/e")
    )
    #expect(
      report.failures.contains { $0.error == .noSpace && $0.path.description.hasSuffix("large") }
    )
    #expect(report.fileCount + report.failureCount == 9)
    let left = try place.shell("ls -A \(small.path)/e").split(separator: "\n")
    #expect(left.count == report.fileCount)
    for name in left { try place.shell("cmp d/\(name) \(small.path)/e/\(name)") }
  }

  @Test("Failures beyond the kept ones are counted")
  func manyFailures() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p d e/d; for i in {1..1100}; do : > d/$i; mkdir e/d/$i; done")
    let report = place.copy("d", to: "e", .recursive)
    #expect(report.failureCount == 1100)
    #expect(report.failures.count == CopyReport.keptFailureCount)
  }

  @Test("The observer hears each file once, from whatever thread")
  func observer() throws {
    let place = try CopyPlace()
    try place.shell(
      "mkdir -p d/{1..30}; for d in d/*; do for f in {1..30}; do : > $d/$f; done; done"
    )
    let heard = EventCounter()
    var options = CopyOptions.archive
    options.jobs = 4
    options.observer = CopyObserver(observesOperations: true, observesResults: true) {
      heard.hear($0)
    }
    let report = FileCopier(options).report(from: place.path("d"), to: place.path("e"))
    #expect(report.isComplete)
    #expect(heard.names == 931)
    #expect(heard.methods == 900)
  }
}
