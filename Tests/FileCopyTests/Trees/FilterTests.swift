import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Copies leave out the names that a filter excludes.
@Suite("Filtered copies")
struct FilterTests {
  private func options(
    _ ignoredByGit: CopyFilter.IgnoredByGit = .included,
    excluding patterns: String...
  ) throws -> CopyOptions {
    var options = CopyOptions.archive
    options.tree.filter.ignoredByGit = ignoredByGit
    for pattern in patterns { try options.tree.filter.exclude(pattern) }
    return options
  }

  /// The sorted paths below a directory, a line each.
  private func paths(_ name: String, in place: CopyPlace) throws -> [String] {
    let text = try place.shell("cd '\(name)'; find . -mindepth 1 -printf '%P\\n' | LC_ALL=C sort")
    return text.split(separator: "\n").map(String.init)
  }

  /// A work tree of git with ignored names, tracked ones and other work trees inside.
  private func workTree() throws -> CopyPlace {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p s/.git/info s/out/deep s/sub/out s/sub/more s/other s/clone/.git s/out/linked
      mkdir -p s/out/dependency/.git s/linked s/out/linked/x
      printf '/out\\n*.o\\n!keep.o\\n' >s/.gitignore; printf '*.log\\n' >s/.git/info/exclude
      printf '*.tmp\\nout/\\n' >s/sub/.gitignore; printf '*.c\\n' >s/clone/.gitignore
      echo 'gitdir: /nowhere' >s/linked/.git; cp s/linked/.git s/out/linked/
      for f in a.o keep.o a.c a.log a.tmp .git/x.o out/a.c out/deep/f sub/a.o sub/a.tmp sub/a.c \\
        sub/out/f sub/more/a.c other/a.c clone/a.o clone/a.c out/linked/f linked/a.o \\
        out/dependency/f out/dependency/.git/f
      do echo "$f" >s/$f; done
      for d in s s/clone s/out/dependency
      do mkdir $d/.git/objects $d/.git/refs; echo 'ref: refs/heads/x' >$d/.git/HEAD; done
      """
    )
    return place
  }

  @Test("Patterns leave out names, and a directory that is left out is not read (T61)")
  func patterns() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p s/build/keep s/x/build s/y; echo 1 >s/a.o; echo 1 >s/keep.o; echo 1 >s/build/f
      echo 1 >s/build/keep/f; echo 1 >s/x/b.o; ln -s f s/y/l.o; echo 1 >s/x/build/f; echo 1 >s/y/f
      """
    )
    let report = place.copy(
      "s",
      to: "t",
      try options(excluding: "*.o", "!keep.o", "/build/", "!/build/keep")
    )
    #expect(report.isComplete)
    #expect(try paths("t", in: place) == ["keep.o", "x", "x/build", "x/build/f", "y", "y/f"])
    #expect(report.fileCount == 3)
    #expect(report.directoryCount == 4)
  }

  @Test("Each source is copied, whatever the patterns are (T61)")
  func sources() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s.o t; echo 1 >s.o/f; echo 1 >s.o/x.o; echo 1 >f.o")
    #expect(place.copy("s.o", to: "t", try options(excluding: "*.o")).isComplete)
    #expect(place.copy("f.o", to: "t", try options(excluding: "*.o")).isComplete)
    #expect(try paths("t", in: place) == ["f.o", "s.o", "s.o/f"])
  }

  @Test("A link that is followed is left out by its own name and the kind of its target (T61)")
  func followedLinks() throws {
    let place = try CopyPlace()
    try place.shell(
      "mkdir s d; echo 1 >d/f; ln -s ../d s/d; ln -s nowhere s/broken; ln -s ../d s/e"
    )
    var filtered = try options(excluding: "d/", "broken")
    filtered.tree.following = .everything
    #expect(place.copy("s", to: "t", filtered).isComplete)
    #expect(try paths("t", in: place) == ["e", "e/f"])
    #expect(place.copy("s", to: "u", try options(excluding: "d/")).isComplete)
    #expect(try paths("u", in: place) == ["broken", "d", "e"])
  }

  @Test("Names that git ignores are left out, and a nested repository has its own rules (T63)")
  func ignoredByGit() throws {
    let place = try workTree()
    #expect(place.copy("s", to: "t", try options(.excluded)).isComplete)
    #expect(
      try paths("t", in: place) == [
        ".git", ".git/HEAD", ".git/info", ".git/info/exclude", ".git/objects", ".git/refs",
        ".git/x.o", ".gitignore", "a.c", "a.tmp", "clone", "clone/.git", "clone/.git/HEAD",
        "clone/.git/objects", "clone/.git/refs", "clone/.gitignore", "clone/a.o", "keep.o",
        "linked", "linked/.git", "linked/a.o", "other", "other/a.c", "sub", "sub/.gitignore",
        "sub/a.c", "sub/more",
        "sub/more/a.c",
      ]
    )
  }

  @Test("The patterns of a filter precede those for git (T63)")
  func precedence() throws {
    let place = try workTree()
    let filtered = try options(.excluded, excluding: "/.git", "!/sub/a.o", "clone", "linked", "*.c")
    #expect(place.copy("s", to: "t", filtered).isComplete)
    #expect(
      try paths("t", in: place) == [
        ".gitignore", "a.tmp", "keep.o", "other", "sub", "sub/.gitignore", "sub/a.o", "sub/more",
      ]
    )
  }

  @Test("A link in the place of a file with patterns is not followed (T63)")
  func linkedPatterns() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s/p; echo '*' >all; ln -s ../all s/.gitignore; mkfifo s/p/.gitignore")
    #expect(place.copy("s", to: "t", try options(.excluded)).isComplete)
    #expect(try paths("t", in: place) == [".gitignore", "p", "p/.gitignore"])
  }

  @Test("A directory whose patterns cannot be read is not copied (T63)")
  func unreadablePatterns() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s/d; echo 1 >s/f; echo 1 >s/d/g; truncate -s 2M s/d/.gitignore")
    let report = place.copy("s", to: "t", try options(.excluded))
    #expect(place.texts(report) == ["cannot open 's/d/.gitignore' for reading: File too large"])
    #expect(try paths("t", in: place) == ["f"])
  }

  @Test("Only ignored names are copied, and no work tree inside the source (T64)")
  func onlyIgnored() throws {
    let place = try workTree()
    try place.shell("mkdir -p t/sub; chmod 700 t/sub")
    let report = place.copy("s", to: "t", try options(.only), placing: .exactly)
    #expect(report.isComplete)
    #expect(
      try paths("t", in: place) == [
        "a.log", "a.o", "out", "out/a.c", "out/deep", "out/deep/f", "out/dependency",
        "out/dependency/.git", "out/dependency/.git/HEAD", "out/dependency/.git/f",
        "out/dependency/.git/objects", "out/dependency/.git/refs", "out/dependency/f", "sub",
        "sub/a.o", "sub/a.tmp", "sub/out", "sub/out/f",
      ]
    )
    #expect(try place.differences("s/out/deep", "t/out/deep") == [])
    #expect(try place.stat("t/sub", "%a") == "700")
    // The directory `sub` existed, and `other` and `sub/more` were removed again.
    #expect(report.directoryCount == 7)
  }

  @Test("A directory .git is a repository if git takes it for one (T63, T64)", .needs(.git))
  func repositories() throws {
    let place = try CopyPlace()
    let oid = String(repeating: "0a", count: 20)
    try place.shell(
      """
      git init -q --template= s; echo '*.o' >s/.gitignore; cd s
      for d in ref detached link empty bad short elsewhere odd noobjects files
      do mkdir -p $d/.git/objects $d/.git/refs; echo 1 >$d/a.o; done
      printf 'ref:\\t refs/heads/x\\n' >ref/.git/HEAD; echo \(oid) >detached/.git/HEAD
      ln -s refs/heads/x link/.git/HEAD; rmdir empty/.git/*; echo x >bad/.git/HEAD
      echo 0123 >short/.git/HEAD; ln -s heads/x elsewhere/.git/HEAD; mkdir odd/.git/HEAD
      cp ref/.git/HEAD noobjects/.git; rmdir noobjects/.git/objects
      cp ref/.git/HEAD files/.git; rmdir files/.git/refs; : >files/.git/refs
      """
    )
    #expect(place.copy("s", to: "t", try options(.only)).isComplete)
    let theirs = try place.shell(
      "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null HOME=/nowhere; cd s; "
        + "git ls-files -o -i --exclude-standard | LC_ALL=C sort"
    )
    #expect(try place.shell("cd t; find . -type f -printf '%P\\n' | LC_ALL=C sort") == theirs)
    #expect(theirs.split(separator: "\n").count == 7, "\(theirs)")
    // A nested repository has only its own patterns.
    #expect(place.copy("s", to: "u", try options(.excluded)).isComplete)
    let kept = try place.shell("cd u; find . -name a.o | LC_ALL=C sort")
    #expect(kept == "./detached/a.o\n./link/a.o\n./ref/a.o\n")
  }

  @Test("New directories that lead to ignored names get the metadata of their sources (T64)")
  func newPassages() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p s/a/b/c s/empty/x; echo '*.o' >s/.gitignore; echo 1 >s/a/b/c/f.o; chmod 700 s/a
      echo 1 >s/empty/x/f; touch -d @7 s/a/b s/a
      """
    )
    #expect(place.copy("s", to: "t", try options(.only)).isComplete)
    #expect(try paths("t", in: place) == ["a", "a/b", "a/b/c", "a/b/c/f.o"])
    #expect(try place.differences("s/a", "t/a") == [])
    #expect(place.copy("s/empty", to: "u", try options(.only)).isComplete)
    #expect(try paths("u", in: place) == [])
  }

  @Test("A directory that cannot be read is copied only if git ignores it (T64)")
  func unreadDirectories() throws {
    let place = try workTree()
    let source = try BorrowedDescriptor.workingDirectory.open(place.path("s"), [.directory])
    let filter = try options(.only).tree.filter
    let scope = try FilterScope(filter, at: source.borrowed)
    #expect(FilterScope(unread: filter).isPassage)
    #expect(scope.enteringUnread("other").isPassage)
    #expect(!scope.enteringUnread("out").isPassage)
    #expect(!scope.enteringUnread("out").enteringUnread("deep").isPassage)
    #expect(try !FilterScope(unread: options(.excluded).tree.filter).isPassage)
  }

  @Test("Partial files are removed in directories that lead to ignored names too (T52, T64)")
  func partialFiles() throws {
    let place = try CopyPlace()
    let current = try #require(ProcessIdentity.current)
    let ended = ProcessIdentity(host: current.host, number: 0x7fff_fffe, start: 1)
    let left = HiddenNames.name(1, of: ended)
    try place.shell(
      """
      mkdir -p s/d t/d; echo '*.o' >s/.gitignore; head -c 5000000 /dev/urandom >s/d/a.o
      : >t/d/\(left)
      """
    )
    var resuming = try options(.only)
    resuming.existing.resumes = true
    #expect(place.copy("s", to: "t", resuming, placing: .exactly).isComplete)
    #expect(try paths("t", in: place) == ["d", "d/a.o"])
  }

  @Test("A work tree inside the source can be the destination (T64)")
  func innerWorkTree() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p s/out s/trees/x; printf '/out\n/trees\n' >s/.gitignore; echo 1 >s/out/f
      echo 'gitdir: /nowhere' >s/trees/x/.git
      """
    )
    #expect(place.texts(place.copy("s/.", to: "s/trees/x", try options(.only))) == [])
    #expect(try paths("s/trees/x", in: place) == [".git", "out", "out/f", "trees"])
  }

  @Test("The names that are left out are not counted (T61)")
  func counting() throws {
    let place = try workTree()
    func count(_ options: CopyOptions) -> Int {
      var files = 0
      var count = SourceCount(options, while: { true }) { found in files += found.files }
      count.count(place.path("s"), from: .workingDirectory)
      let isExact = count.isExact
      #expect(isExact)
      return files
    }
    #expect(try count(options(excluding: "*")) == 0)
    // As many as `ignoredByGit` and `onlyIgnored` find.
    #expect(try count(options(.excluded)) == 16)
    #expect(try count(options(.only)) == 10)
  }

  @Test("A name of the destination is kept if it is excluded (T61, T64)")
  func kept() throws {
    let place = try workTree()
    func keeps(_ name: BytePath, _ options: CopyOptions, isDirectory: Bool = false) throws -> Bool {
      let source = try BorrowedDescriptor.workingDirectory.open(place.path("s"), [.directory])
      let scope = try FilterScope(options.tree.filter, at: source.borrowed)
      return scope.keeps(name, isDirectory: isDirectory)
    }
    #expect(try !keeps("a.o", options()))
    #expect(try keeps("a.x", options(excluding: "*.x")))
    #expect(try keeps("new.o", options(.excluded)))
    #expect(try !keeps("new.c", options(.excluded)))
    #expect(try !keeps("new.o", options(.only)))
    #expect(try keeps("new.c", options(.only)))
    #expect(try keeps(".git", options(.only), isDirectory: true))
    #expect(try !keeps("out", options(.only), isDirectory: true))
    #expect(try keeps("new", options(.only), isDirectory: true))
  }
}
