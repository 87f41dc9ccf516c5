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

  @Test(
    "A directory that is not found again separates no names in silence (F1, T33)",
    arguments: [false, true],
    [2, 13, 116]
  )
  func lostDirectory(isSource: Bool, error: Int) throws {
    let faulty = try FaultFileSystem()
    let tree = "mkdir -p s/a s/b; for i in $(seq 50); do echo $i >s/a/$i; ln s/a/$i s/b; done"
    let outside = try TemporaryDirectory()
    let source = isSource ? faulty.behind : outside.path
    try runSuccessfully(["bash", "-ec", tree], directory: source)
    let (from, to) =
      isSource
      ? ("\(faulty.path)/s", "\(outside.path)/t") : ("\(outside.path)/s", "\(faulty.path)/t")
    var uses = 0
    for which in 2...4 {
      try faulty.setRules("opendir [ab] \(which)+ errno \(error)")
      let outcome = try run([BuiltProgram.fastcp.path, "-aT", "--jobs=1", from, to])
      uses += faulty.uses().count
      try faulty.setRules()
      let behind = isSource ? to : "\(faulty.behind)/t"
      let names = "find \"$0\" -type f -links 2 | wc -l; rm -rf \"$0\""
      let united = try runSuccessfully(["bash", "-c", names, behind])
      #expect(outcome.status == 1 || united == "100\n", "\(which): \(united), \(outcome)")
    }
    #expect(uses > 0)
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

  @Test(
    "A file that is overwritten only if it is emptied is emptied, as with cp",
    arguments: ["reopen", "rewrite"],
    [1, 13, 22, 95]
  )
  func emptied(operation: String, error: Int) throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    try faulty.setRules("\(operation) * 1+ errno \(error)")
    let outcome = try shell(
      """
      head -c 300000 /dev/urandom >big; echo new >small; : >empty; truncate -s 1M holes
      printf x | dd of=holes bs=1 seek=500000 conv=notrunc status=none; chmod 440 small
      for o in --debug -a -p -f --sparse=always --sparse=never --jobs=1 --backup=simple --verify; do
        for f in big small empty holes; do
          rm -f "$TO/f"; head -c 400000 /dev/zero >"$TO/f"; i=$(stat -c %i "$TO/f")
          "$CP" $o $f "$TO/f" >told 2>&1 || { echo "$o $f $?"; cat told; }
          cmp $f "$TO/f" && [ $o = --backup=simple -o $i = $(stat -c %i "$TO/f") ] || echo "$o $f"
          [ $o != -p ] || [ $(stat -c %a%Y $f) = $(stat -c %a%Y "$TO/f") ] || echo mode
        done
      done; rm "$TO"/*
      """,
      in: place,
      to: faulty
    )
    #expect(outcome.outputText.isEmpty && outcome.errors.isEmpty, "\(outcome)")
    #expect(!faulty.uses().isEmpty)
  }

  @Test("A user without special rights overwrites such files, too, and the mode is as with -p")
  func emptiedByOwner() throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    for operation in ["reopen", "rewrite"] {
      try faulty.setRules("\(operation) * 1+ errno 1")
      let outcome = try shell(
        """
        chmod 755 .; mkdir -p bin; cp "$CP" bin/fastcp; echo new >f; chmod 444 f
        echo old >"$TO/f"; chown 65534 "$TO/f"
        setpriv --reuid=65534 --regid=65534 --clear-groups bin/fastcp -p f "$TO/f"
        echo $?; cat "$TO/f"; stat -c %a "$TO/f"; rm -f "$TO/f"
        """,
        in: place,
        to: faulty
      )
      #expect(outcome.outputText == "0\nnew\n444\n" && outcome.errors.isEmpty, "\(outcome)")
    }
  }

  @Test("A file that must stay until its copy is complete is never emptied")
  func notEmptied() throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    for (operation, error, option) in [
      ("reopen", 1, "-n"), ("reopen", 1, "--attributes-only"), ("rewrite", 1, "-n"),
      ("rewrite", 5, "--debug"), ("rewrite", 28, "--debug"), ("re*", 1, "--atomic"),
      ("re*", 1, "--resume"),
    ] {
      let operations = operation == "re*" ? ["reopen", "rewrite", "rename"] : [operation]
      try faulty.setRules(operations.map { "\($0) * 1+ errno \(error)" }.joined(separator: "\n"))
      let outcome = try shell(
        """
        head -c 100000 /dev/urandom >f; rm -f "$TO/f"; (umask 0; echo old >"$BEHIND/f")
        strace -f -qq -o log -e trace=openat "$CP" \(option) f "$TO/f" >/dev/null 2>&1
        cat "$TO/f"; grep -c O_TRUNC log
        """,
        in: place,
        to: faulty
      )
      #expect(outcome.outputText == "old\n0\n", "\(operation) \(error) \(option): \(outcome)")
    }
  }

  @Test(
    "A name that another machine has removed is created, whatever this one still shows",
    arguments: ["--debug", "-a", "-f", "-u", "--atomic", "--resume", "--jobs=1"]
  )
  func vanished(option: String) throws {
    let faulty = try FaultFileSystem(keepsNames: true)
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      head -c 300000 /dev/urandom >big; echo new >small; echo victim >victim
      for f in big small; do for keep in '' keep; do for link in '' link; do
        # The copy of a small file looks for the name again, and finds the link.
        [ "$f $link" != 'small link' ] || continue
        echo old >"$TO/f"; touch -d 2001-01-01 "$TO/f"; cat "$TO/f" >/dev/null
        # The descriptor keeps the removed file.
        [ -z "$keep" ] || exec 3<"$TO/f"
        rm "$BEHIND/f"; [ -z "$link" ] || ln -s $PWD/victim "$BEHIND/f"
        stat -c %F "$TO/f"; "$CP" \(option) $f "$TO/f" >told 2>&1 || { echo "$f $?"; cat told; }
        cmp $f "$BEHIND/f"; stat -c '%F %h' "$BEHIND/f"; exec 3<&-
      done; done; done; cat victim; ls -A "$BEHIND"
      """,
      in: place,
      to: faulty
    )
    let expected = String(repeating: "regular file\nregular file 1\n", count: 6)
    #expect(outcome.outputText == expected + "victim\nf\n", "\(outcome)")
    #expect(outcome.errors.isEmpty, "\(outcome)")
  }

  @Test("A name that another client of sshfs has removed is created", .needs(.fileSystems))
  func vanishedOnServer() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "unshare", "-m", "bash", "-ec",
        """
        printf '#!/bin/sh\\nexec /usr/lib/openssh/sftp-server\\n' >server; chmod +x server
        mkdir behind m; sshfs -o ssh_command=$PWD/server host:$PWD/behind m
        head -c 300000 /dev/urandom >big; echo new >small
        for f in big small; do
          echo old >behind/$f; cat m/$f >/dev/null; stat m/$f >/dev/null; rm behind/$f
          s=0; "$0" $f m/$f || s=$?; echo $s; cmp $f behind/$f
        done; ls -A behind; umount m
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path,
      timeout: .seconds(60)
    )
    #expect(outcome.outputText == "0\n0\nbig\nsmall\n" && outcome.errors.isEmpty, "\(outcome)")
  }
}
