import IOChannelsTestSupport
import Testing

/// Sources that say what is not so, or want to be waited for.
@Suite("Unusual sources", .ends(withinMinutes: 10))
struct UnusualSourceTests {
  private func shell(_ script: String, in place: String) throws -> Outcome {
    try run(
      ["bash", "-ec", script],
      environment: ["CP": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place
    )
  }

  @Test("Lengths have no sum that is too large (T21)", .needs(.root))
  func lengths() throws {
    let memory = try MemoryFileSystem(kibibytes: 256)
    let outcome = try shell(
      """
      mkdir s; truncate -s 5E s/a s/b; truncate -s 20P c; touch 'c.~9223372036854775807~'
      "$CP" -r --stats --progress=always s d; "$CP" -r --dry-run s e; "$CP" --stats c f
      "$CP" -b s/a c; "$CP" --backup=numbered s/a c; stat -c %s d/a d/b f c
      """,
      in: memory.path
    )
    let long = "5764607523034234880\n"
    #expect(outcome.succeeded, "\(outcome)")
    #expect(!outcome.errorText.contains(" -"), "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\(long)\(long)22517998136852480\n\(long)"), "\(outcome)")
  }

  @Test("A sparse file that ends before its length is no longer than its bytes (T21)")
  func shorter() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      truncate -s 40000 s
      trace() { strace -f -qq -o log -P s "$@"; }
      trace -e inject=pread64:retval=0 "$CP" --reflink=never s t; stat -c %s t
      head -c 5000 /dev/urandom | dd of=s seek=1 bs=8192 conv=notrunc 2>/dev/null
      trace -e inject=pread64:retval=0:when=1 "$CP" --reflink=never s u || echo $?
      grep -c INJECTED log
      stat -c %s u
      """,
      in: place.path
    )
    // A file of holes is not read at all, and one that has blocks was cut off by somebody.
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("40000\n1\n1\n8192\n"), "\(outcome)")
  }

  @Test(
    "copy_file_range is given up where it never worked, and fails the file where it breaks (T24)",
    .needs(.root, .fileSystems)
  )
  func refusedInKernel() throws {
    let system = try MountedFileSystem(.overlay, files: ["none": []])
    let outcome = try shell(
      """
      copy() {
        strace -f -qq -o log -e trace=copy_file_range -e inject=copy_file_range:error=$1 \
          "$CP" --reflink=auto f new
      }
      head -c 300000 /dev/urandom >f
      for error in EPERM EXDEV EINVAL ETXTBSY ENOSYS EOPNOTSUPP; do
        copy $error; cmp f new; grep -q INJECTED log; rm new
      done
      copy EIO || echo "status $?"
      ls
      """,
      in: system.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText == "status 1\nf\nlog\nnone\n", "\(outcome)")
    #expect(outcome.errorText.hasSuffix("error copying 'f' to 'new': Input/output error\n"))
  }

  @Test("A file with a lease of another process is waited for (T34)", .needs(.root))
  func leases() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      lease() {
        perl -e 'open(F, "+<", $ARGV[0]); $SIG{IO} = sub { fcntl(F, 1024, 2); exit };
          fcntl(F, 1024, 1) or die "$!"; open(R, ">ready"); close(R); sleep 60' "$1" &
        until [ -e ready ]; do sleep 0.01; done; rm ready
      }
      mkdir s t; echo new >s/f; echo old >t/f; ln t/f other
      lease s/f; "$CP" -r s u; wait; lease t/f; "$CP" -rf s/. t; wait; cat u/f t/f other
      """,
      in: place.path
    )
    #expect(outcome.succeeded && outcome.outputText == "new\nnew\nnew\n", "\(outcome)")
  }

  @Test("A source that can be read only once is verified by the bytes that passed (T22)")
  func onceOnly() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      head -c 300000 /dev/urandom >f; truncate -s 700000 f
      cat f | "$CP" --verify --sparse=always /dev/stdin g; cmp f g
      cat f | "$CP" --verify /dev/stdin h; cmp f h
      "$CP" --verify --sparse=always /proc/kallsyms k; [ $(stat -c %s k) -gt 100000 ]
      """,
      in: place.path
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test("Only a regular file can be cloned (T25)")
  func clonesOfOthers() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      mkfifo p; (exec 3>p; echo x >&3) & exec 2>&1; for from in p /dev/null; do
        "$CP" --reflink=always $from new || echo $?; done; wait; ls
      """,
      in: place.path
    )
    let told = [("p", "Invalid argument"), ("/dev/null", "Invalid cross-device link")].map {
      "fastcp: failed to clone 'new' from '\($0)': \($1)\n1\n"
    }
    #expect(outcome.outputText == told.joined() + "p\n", "\(outcome)")
  }
}
