import IOChannelsTestSupport
import Testing

/// Servers and object stores refuse operations with errors that local disks return for a failure.
@Suite("Refusals of servers", .needs(.root, .fuse), .ends(withinMinutes: 60))
struct ServerRefusalTests {
  private func shell(
    _ script: String,
    in place: TemporaryDirectory,
    to faulty: FaultFileSystem? = nil
  ) throws -> Outcome {
    try run(
      ["bash", "-c", script],
      environment: [
        "CP": BuiltProgram.fastcp.path, "BOX": BuiltProgram.sandboxrun.path, "LC_ALL": "C",
        "TO": faulty?.path ?? ".", "BEHIND": faulty?.behind ?? ".",
      ],
      directory: place.path
    )
  }

  /// EEXIST, ENFILE, EMFILE, ENOSPC, EROFS and EDQUOT, which are errors of the file.
  private static let fatal: Set = [17, 23, 24, 28, 30, 122]
  /// Among them EIO and EINVAL, with which servers refuse links and exclusive renames.
  private static let errors =
    Tier.current == .full ? Array(1...133) : [1, 5, 17, 22, 28, 30, 95, 116]

  @Test(
    "Whatever error a server has for links and renames, a new file appears or is reported (F1)",
    arguments: errors
  )
  func steps(error: Int) throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["sh", "-c", "head -c 100000 /dev/urandom >f"], directory: place.path)
    let ways = [["linkat"], ["linkat", "renameat2"], ["linkat", "renameat2", "renameat"]]
    // A server may answer EIO to a link and another error to a rename.
    // A server may answer EIO to a link and another error to a rename.
    for (calls, link) in ways.flatMap({ calls in Set([error, 5]).map { (calls, $0) } }) {
      let injected = calls.enumerated().map { index, call in
        "-e inject=\(call):error=\(index == 0 ? link : error)"
      }
      let outcome = try shell(
        """
        box() { strace -f -qq -o log -e trace=linkat,renameat,renameat2 \
          \(injected.joined(separator: " ")) "$CP" "$@"; }
        for o in --debug --atomic --durable; do for old in '' old; do
          rm -f new; [ -z "$old" ] || echo old >new
          s=0; box $o f new >told 2>&1 || s=$?; cmp -s f new && echo "$o $s new" \
            || echo "$o $s $(cat new 2>/dev/null)"
          ls -A | grep '[.]fastcp'
        done; done
        """,
        in: place
      )
      let lines = outcome.outputText.split(separator: "\n").map(String.init)
      let result = Self.results(link, calls.count > 1 ? error : nil, calls.count > 2 ? error : nil)
      let isCopied = ["0 new", "0 new"]
      var expected = (result.isCopied ? isCopied : ["1 ", "0 new"]).map { "--debug \($0)" }
      expected += (result.isReplaced ? isCopied : ["1 ", "1 old"]).map { "--atomic \($0)" }
      #expect(lines.prefix(4) == expected[...], "\(calls) \(link) \(error): \(outcome)")
      // On some file systems, such a copy uses no links.
      if calls.count < 3 { continue }
      #expect(lines.dropFirst(4) == ["--durable 1 ", "--durable 1 old"], "\(outcome)")
    }
  }

  /// Whether a new file is copied, and a file replaced, if links, exclusive renames and renames are
  /// refused with these errors.
  private static func results(
    _ link: Int,
    _ exclusive: Int?,
    _ rename: Int?
  ) -> (isCopied: Bool, isReplaced: Bool) {
    if fatal.contains(link) { return (false, false) }
    let refusals = [exclusive, rename].compactMap(\.self)
    return (!refusals.contains(where: fatal.contains), rename == nil)
  }

  @Test("A refusal is remembered only if an empty file of its own is refused too")
  func remembered() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      mkdir s; head -c 100000 /dev/urandom >s/1; head -c 100000 /dev/urandom >s/2
      for error in EIO EINVAL EPERM; do for when in ':when=1' ''; do
        strace -f -qq -o log -e trace=linkat -e inject=linkat:error=$error$when \\
          "$CP" -r --jobs=1 s t; diff -r s t; echo "$error$when $(grep -c linkat log)"; rm -r t
      done; done
      """,
      in: place
    )
    let expected = ["EIO", "EINVAL", "EPERM"].map { "\($0):when=1 3\n\($0) 2\n" }.joined()
    #expect(outcome.outputText == expected && outcome.errors.isEmpty, "\(outcome)")
    let faulty = try FaultFileSystem()
    for error in [1, 5, 22] {
      try faulty.setRules("rename 1 1+ errno \(error)", "link 1 1+ errno \(error)")
      let outcome = try shell(
        """
        strace -f -qq -o log -e trace=openat "$CP" --jobs=1 s/1 s/2 "$TO"; echo $?
        diff -r s "$TO"; grep -c 'fastcp-.*O_CREAT' log; ls -A "$TO"; rm "$TO"/*
        """,
        in: place,
        to: faulty
      )
      // One file is the trial.
      #expect(outcome.outputText == "0\n3\n1\n2\n", "\(error): \(outcome)")
      #expect(!faulty.uses().isEmpty)
    }
  }

  @Test("No file is renamed before its copy is complete")
  func trial() throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    // mergerfs finds an open file by its first name, when it moves the file to another disk.
    let outcome = try shell(
      """
      head -c 100000 /dev/urandom >f
      strace -f -qq -y -o log -e trace=openat,close,renameat,renameat2,unlinkat "$CP" f "$TO/1"
      cmp f "$TO/1"; grep '[.]fastcp-' log | sed 's/^[0-9]* *//; s/(.*//' | uniq | xargs
      """,
      in: place,
      to: faulty
    )
    #expect(
      outcome.outputText == "openat close renameat unlinkat openat close renameat2\n",
      "\(outcome)"
    )
  }
}
