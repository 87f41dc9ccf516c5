import FileCopy
import IOChannelsTestSupport
import Testing

/// Another process that changes the destination's names in the middle of a copy.
@Suite("Contested names")
struct ContestedLinkTests {
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
    let report = place.contestedCopy { event in
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
    let report = place.contestedCopy { event in
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
    let report = place.contestedCopy(isAtomic: isAtomic) { event in
      if case .copied(let record) = event, case .directory = record.kind { true } else { false }
    } _: { _ in
      "for n in a b c k l; do echo 1 >$n; done"
    }
    try expectWhole(place, report)
    try place.shell("cmp s/a to/s/a")
  }

  @Test(
    "Names that two copies remove and link by turns become names of one file (T33)",
    arguments: ["echo 1 >", "ln -s x", "mkfifo"]
  )
  func removedByTurns(creation: String) throws {
    let place = try CopyPlace()
    try place.shell("mkdir s to; \(creation) s/a; ln s/a s/b; ln s/a s/c; cp -a s to")
    // The observer lets this copy remove existing files. It linked a second name to its own first
    // one. The other copy began with the third name, and now links that to the first one, which
    // this copy then links to the third one.
    let report = place.contestedCopy { event in
      if case .copied(let record) = event { record.kind == .hardLink } else { false }
    } _: { name in
      """
      inode=$(stat -c %i \(name)); first=; other=
      for n in a b c; do
        if [ $n = \(name) ]; then continue; fi
        if [ $(stat -c %i $n) = $inode ]; then first=$n; else other=$n; fi
      done
      ln -f $other $first
      """
    }
    #expect(place.texts(report) == [])
    #expect(try place.shell("cd to/s; stat -c %i a b c | sort -u | wc -l") == "1\n")
    #expect(try place.shell("ls -A to/s") == "a\nb\nc\n")
    #expect(try place.stat("to/s/a", "%F %Y") == place.stat("s/a", "%F %Y"))
  }

  @Test(
    "No name is linked to a file of another user that has the name of the copy (T33)",
    .needs(.root),
    arguments: [("755", false), ("777", false), ("777", true)]
  )
  func hostile(mode: String, isFirst: Bool) throws {
    let place = try CopyPlace()
    // The oldest file has the smallest inode number.
    try place.shell(
      """
      mkdir to; echo evil >to/evil; chown 65534 to/evil; mkdir s; echo good >s/a; ln s/a s/b
      ln s/a s/c; chmod \(mode) s; cp -a s to
      """
    )
    let report = place.contestedCopy { event in
      guard case .copied(let record) = event else { return false }
      if isFirst, case .file = record.kind { return true }
      return !isFirst && record.kind == .hardLink
    } _: { name in
      "ln -f ../evil \(name)"
    }
    #expect(place.texts(report) == [])
    // A first name in the directory of others stays theirs. A further one is linked again.
    let owners = try place.shell("cd to/s; stat -c '%U %s' a b c | sort | uniq -c | xargs")
    #expect(owners == (isFirst ? "1 nobody 5 2 root 5\n" : "3 root 5\n"))
    #expect(try place.shell("cd to/s; cat $(find . -user root) | uniq") == "good\n")
  }

  @Test("Holes of a file that is copied again count once (T33)")
  func holes() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s to; echo 1 >s/a; truncate -s 1M s/a; ln s/a s/b")
    let report = place.contestedCopy { event in
      if case .copied(let record) = event, case .directory = record.kind { true } else { false }
    } _: { _ in
      "echo 1 >a; echo 1 >b"
    }
    #expect(place.texts(report) == [])
    try place.shell("cmp s/a to/s/a")
    #expect(report.holeByteCount > 0 && report.holeByteCount <= 1 << 20)
  }

  @Test("A directory that appears in the place of a new one is used (T33)")
  func directories() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s/d to; echo 1 >s/d/f")
    let report = place.contestedCopy { event in
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
    let report = place.contestedCopy { event in
      if case .copied(let record) = event, case .directory = record.kind { true } else { false }
    } _: { _ in
      "echo 2 >f"
    }
    #expect(place.texts(report) == ["cannot create regular file 'to/s/f': File exists"])
    #expect(try place.shell("cat to/s/f") == "2\n")
  }
}
