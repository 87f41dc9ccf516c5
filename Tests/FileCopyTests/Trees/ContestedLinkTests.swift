import FileCopy
import Synchronization
import IOChannelsTestSupport
import Testing

/// Another process that changes the destination's names in the middle of a copy.
@Suite("Contested names")
struct ContestedLinkTests {
  /// Copies `s`, and runs a script in the directory of the copy after the first event that fits.
  private func copy(
    in place: CopyPlace,
    jobs: Int = 1,
    isAtomic: Bool = false,
    when fits: @escaping @Sendable (CopyEvent) -> Bool,
    _ script: @escaping @Sendable (_ name: String) -> String
  ) -> CopyReport {
    let isDone = Atomic<Bool>(false)
    var options = CopyOptions.archive
    options.isAtomic = isAtomic
    options.observer = CopyObserver(observesOperations: true, observesResults: true) { event in
      guard fits(event), !isDone.exchange(true, ordering: .relaxed) else { return }
      let name: BytePath =
        switch event {
        case .copying(_, let destination, _): destination
        case .copied(let record): record.destination
        default: ""
        }
      let last = name.description.split(separator: "/").last.map(String.init) ?? ""
      _ = try? place.shell("cd to/s; \(script(last))")
    }
    let report = place.copy("s", to: "to", options, jobs: jobs)
    let wasDone = isDone.load(ordering: .relaxed)
    #expect(wasDone)
    return report
  }

  private func place(size: Int, exists: Bool) throws -> CopyPlace {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir s to; head -c \(size) /dev/urandom >s/a; ln s/a s/b; ln s/a s/c
      ln -s x s/k; ln s/k s/l
      if \(exists); then cp -a s to; fi
      """
    )
    return place
  }

  /// The names of one file are names of one file again, whichever one.
  private func expectWhole(_ place: CopyPlace, _ report: CopyReport) throws {
    #expect(place.texts(report) == [])
    #expect(try place.shell("cd to/s; stat -c %i a b c | sort -u | wc -l") == "1\n")
    #expect(try place.shell("cd to/s; stat -c %i k l | sort -u | wc -l") == "1\n")
    #expect(try place.shell("ls -A to/s") == "a\nb\nc\nk\nl\n")
  }

  @Test(
    "A first name that is replaced after its copy keeps its further names (T33)",
    arguments: [2000, 200_000],
    [false, true]
  )
  func replaced(size: Int, exists: Bool) throws {
    let place = try place(size: size, exists: exists)
    let report = copy(in: place) { event in
      if case .copied(let record) = event, case .file = record.kind { true } else { false }
    } _: { name in
      "cp ../../s/a .new; mv .new \(name)"
    }
    try expectWhole(place, report)
    try place.shell("cmp s/a to/s/a")
  }

  @Test(
    "A first name that is removed after its copy leaves the others together (T33)",
    arguments: [2000, 200_000],
    [false, true]
  )
  func removed(size: Int, exists: Bool) throws {
    let place = try place(size: size, exists: exists)
    let report = copy(in: place) { event in
      if case .copied(let record) = event, case .file = record.kind { true } else { false }
    } _: { name in
      "rm \(name)"
    }
    #expect(place.texts(report) == [])
    let names = try place.shell("cd to/s; for n in a b c; do [ ! -e $n ] || echo $n; done")
      .split(separator: "\n")
    #expect(names.count == 2)
    for name in names {
      try place.shell("cmp s/a to/s/\(name); [ to/s/\(name) -ef to/s/\(names[0]) ]")
    }
  }

  @Test(
    "A file that appears under a name of the copy is overwritten or replaced (T33)",
    arguments: [2000, 200_000],
    [false, true]
  )
  func appeared(size: Int, isAtomic: Bool) throws {
    let place = try place(size: size, exists: false)
    let report = copy(in: place, isAtomic: isAtomic) { event in
      if case .copied(let record) = event, case .directory = record.kind { true } else { false }
    } _: { _ in
      "for n in a b c k l; do echo 1 >$n; done"
    }
    try expectWhole(place, report)
    try place.shell("cmp s/a to/s/a")
  }

  @Test("Holes of a file that is copied again count once (T33)")
  func holes() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s to; echo 1 >s/a; truncate -s 1M s/a; ln s/a s/b")
    let report = copy(in: place) { event in
      if case .copied(let record) = event, case .directory = record.kind { true } else { false }
    } _: { _ in
      "echo 1 >a; echo 1 >b"
    }
    #expect(place.texts(report) == [])
    try place.shell("cmp s/a to/s/a")
    #expect(report.holeBytes > 0 && report.holeBytes <= 1 << 20)
  }

  @Test("A directory that appears in the place of a new one is used (T33)")
  func directories() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s/d to; echo 1 >s/d/f")
    let report = copy(in: place) { event in
      if case .copied(let record) = event, case .directory = record.kind { true } else { false }
    } _: { _ in
      "mkdir d; echo 2 >d/g"
    }
    #expect(place.texts(report) == [])
    #expect(try place.shell("cat to/s/d/f to/s/d/g") == "1\n2\n")
  }

  @Test("A file of one name that appears in a new directory stays, and is a failure (T4)")
  func single() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s to; echo 1 >s/f")
    let report = copy(in: place) { event in
      if case .copied(let record) = event, case .directory = record.kind { true } else { false }
    } _: { _ in
      "echo 2 >f"
    }
    #expect(place.texts(report) == ["cannot create regular file 'to/s/f': File exists"])
    #expect(try place.shell("cat to/s/f") == "2\n")
  }
}
