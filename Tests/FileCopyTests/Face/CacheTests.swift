import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Copies past the page cache, and copies that leave nothing in it.
@Suite("Page cache", .ends(withinMinutes: 10))
struct CacheTests {
  /// Takes a file out of the page cache.
  private static let forget = "dd oflag=nocache conv=notrunc,fdatasync count=0 status=none of="

  @Test(
    "Files of all lengths are equal when they bypass the page cache",
    .needs(.loop),
    arguments: [65_537, 1 << 20, (1 << 20) + 1, 5_000_001, (8 << 20) - 1]
  )
  func direct(size: Int) throws {
    let image = try LoopImage(.ext4, megabytes: 64)
    let place = try CopyPlace()
    try place.shell(
      "head -c \(size) /dev/urandom >f; head -c 20000000 /dev/zero >\(image.path)/old"
    )
    var options = CopyOptions()
    options.contents.direct = .always
    for name in ["new", "old"] {
      let target = BytePath("\(image.path)/\(name)")
      let report = FileCopier(options).report(from: place.path("f"), to: target)
      #expect(report.isComplete)
      #expect(report.methodCounts == [.direct: 1])
      try place.shell("cmp f \(target)")
      let back = FileCopier(options).report(from: target, to: place.path("back"))
      #expect(back.methodCounts == [.direct: 1])
      try place.shell("cmp f back")
    }
  }

  @Test("By default large files bypass the page cache only when they are not in it", .needs(.loop))
  func automatic() throws {
    let image = try LoopImage(.ext4, megabytes: 256)
    let place = try CopyPlace(in: image.path)
    try place.shell("head -c 64M /dev/urandom >f; sync f; \(CacheTests.forget)f; echo 1 >small")
    var options = CopyOptions()
    options.contents.direct = .automatic
    #expect(place.copy("f", to: "g", options).methodCounts == [.direct: 1])
    // Another program may take the memory of cached pages meanwhile, but not each time.
    for round in 0..<10 {
      try place.shell("rm -f h; cat f >/dev/null")
      if place.copy("f", to: "h", options).methodCounts == [.stream: 1] { break }
      #expect(round < 9, "cached files bypass the page cache each time")
    }
    #expect(place.copy("small", to: "i", options).methodCounts == [.oneShot: 1])
    try place.shell("cmp f g; cmp f h")
  }

  @Test("Copied pages leave the page cache, but not those that were there before", .needs(.loop))
  func dropping() throws {
    let image = try LoopImage(.ext4, megabytes: 256)
    let place = try CopyPlace(in: image.path)
    try place.shell(
      "head -c 70M /dev/urandom >cold; echo 1 >small; sync cold small; \(CacheTests.forget)cold; "
        + "head -c 1M /dev/urandom >hot; sync hot; cat hot small >/dev/null"
    )
    var options = CopyOptions()
    options.contents.dropsCache = true
    // A page that somebody uses at the moment may stay, but not each time.
    for name in ["cold", "hot", "small"] {
      for round in 0..<10 {
        #expect(place.copy(name, to: "copy-\(name)", options).isComplete)
        let left = try pages("copy-\(name)", place)
        if left == 0 { break }
        #expect(round < 9, "\(left ?? -1) pages of the copy stay each time")
      }
    }
    #expect(try pages("cold", place) == 0)
    // Whoever empties the cache of the whole machine meanwhile has it tried once more.
    for _ in 0..<10 where try pages("hot", place) != 256 {
      try place.shell("cat hot >/dev/null")
      #expect(place.copy("hot", to: "copy-hot", options).isComplete)
    }
    #expect(try pages("hot", place) == 256)
    options.contents.dropsCache = false
    #expect(place.copy("hot", to: "kept", options).isComplete)
    #expect(try pages("kept", place) == 256)
    try place.shell("cmp cold copy-cold; cmp hot copy-hot; cmp small copy-small")
  }

  @Test("The pages of a file that is continued leave the page cache too (T52)", .needs(.loop))
  func continued() throws {
    let image = try LoopImage(.ext4, megabytes: 256)
    let place = try CopyPlace(in: image.path)
    let host = try #require(ProcessIdentity.current).host
    let ended = ProcessIdentity(host: host, number: 0x7fff_fffe, start: 1)
    let left = HiddenNames.name(PartialFile.number(of: "f"), of: ended)
    try place.shell("mkdir s t; head -c 70M /dev/urandom >s/f")
    var options = CopyOptions.archive
    options.contents.dropsCache = true
    options.existing.resumes = true
    for round in 0..<10 {
      try place.shell(
        """
        rm -f t/f; head -c 40M s/f >t/\(left); chmod 600 t/\(left); sync s/f t/\(left)
        \(CacheTests.forget)s/f; \(CacheTests.forget)t/\(left)
        """
      )
      let report = place.copy("s", to: "t", options, placing: .exactly)
      #expect(report.isComplete)
      #expect(report.resumedByteCount == 40 << 20)
      let counts = try (pages("s/f", place), pages("t/f", place))
      if counts == (0, 0) { break }
      #expect(round < 9, "\(counts) pages stay each time")
    }
    try place.shell("cmp s/f t/f")
  }

  private func pages(_ name: String, _ place: CopyPlace) throws -> Int? {
    try Int(place.shell("fincore -nb -o pages \(name)").filter(\.isNumber))
  }

  @Test("Written windows follow each other without gaps")
  func windows() {
    var window = DropWindow()
    let length = DropWindow.length
    var steps: [DropWindow.Step] = []
    for _ in 0..<40 {
      if let step = window.advance(by: length / 8) { steps.append(step) }
    }
    #expect(steps.map(\.written) == (0..<5).map { $0 * length..<($0 + 1) * length })
    #expect(steps.first?.dropped.isEmpty == true)
    #expect(steps.dropFirst().map(\.dropped) == steps.dropLast().map(\.written))
  }

  @Test("Space is asked for once, before a sixteenth of it is taken")
  func spaceRule() {
    var rule = SpaceRule(free: 1600)
    let answers = [50, 50, 1, 5000].map { rule.recordWrite(of: $0) }
    #expect(answers == [nil, nil, 1600, nil])
    var unknown = SpaceRule(free: nil)
    let none = unknown.recordWrite(of: .max)
    #expect(none == nil)
  }

  @Test("Too little space for a tree is reported beforehand, and enough is not", .needs(.root))
  func space() throws {
    let small = try MemoryFileSystem(kibibytes: 1024)
    let place = try CopyPlace()
    try place.shell(
      "head -c 2M /dev/urandom >large; mkdir many some; "
        + "split -a 3 -b 20000 large many/; head -c 500000 large | split -b 20000 - some/"
    )
    // A single file that does not fit is one failure and no warning.
    for (name, fits, warns) in [
      ("large", false, false), ("many", false, true), ("some", true, false),
    ] {
      let heard = HeardProblems()
      var options = CopyOptions.recursive
      options.jobs = 1
      options.observer = CopyObserver { heard.hear($0) }
      let report = FileCopier(options).report(from: place.path(name), to: BytePath(small.path))
      #expect(report.isComplete == fits)
      let problems = heard.problems
      if case .littleSpace(let needed, let free)? = problems.first {
        #expect(warns)
        #expect(needed >= 2 << 20 && free <= 1 << 20)
      } else {
        #expect(!warns, "\(name): \(problems)")
      }
      try place.shell("rm -rf \(small.path)/*")
    }
  }
}
