import IOChannelsTestSupport
import Testing

/// Sources that change while they are copied, where that is no failure.
@Suite("Tolerated changes", .ends(withinMinutes: 10))
struct ToleranceTests {
  @Test(
    "A change is a message and no failure, unless the copy is longer than its source (T22)",
    .needs(.root, .fuse),
    arguments: [
      "echo more >>f", "truncate -s 2900000 f", "truncate -s 1000 f",
      "tr a b <f >g; cat g >f; rm g",
    ],
    ["", "--sparse=always", "--atomic", "--direct"]
  )
  func changes(script: String, option: String) throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    try runSuccessfully(
      ["bash", "-ec", "head -c 3000000 /dev/zero | tr '\\0' a >f"],
      directory: faulty.behind
    )
    for tolerates in [true, false] {
      try runSuccessfully(
        ["bash", "-ec", "head -c 3000000 /dev/zero | tr '\\0' a >f"],
        directory: faulty.behind
      )
      try faulty.setRules("read f 2 hang 1")
      let options = [option, tolerates ? "--tolerate-changes" : ""].filter { !$0.isEmpty }
      let copier = try ChildProcess(
        [BuiltProgram.fastcp.path] + options + [faulty.path + "/f", place("g")]
      )
      try faulty.waitForUse()
      try runSuccessfully(["bash", "-ec", script], directory: faulty.behind)
      try faulty.setRules()
      let outcome = try copier.wait(timeout: .seconds(30))
      let isTooLong = script == "truncate -s 1000 f"
      #expect(outcome.status == (tolerates && !isTooLong ? 0 : 1), "\(outcome)")
      #expect(outcome.errorLines.count == 1, "\(outcome)")
      #expect(outcome.errorText.hasSuffix("was changed while being copied\n"), "\(outcome)")
      if tolerates && script.hasPrefix("echo") {
        try runSuccessfully(
          ["bash", "-ec", "head -c 3000000 /dev/zero | tr '\\0' a | cmp - g"],
          directory: place.path
        )
      }
    }
  }

  @Test(
    "Of a file that grows without end, the length from the beginning is copied (T22)",
    arguments: ["", "--verify", "--sparse=always", "--sparse=never --reflink=never", "--atomic"],
    [70_000, 5_000_000]
  )
  func growth(option: String, size: Int) throws {
    let place = try TemporaryDirectory()
    let other = try TemporaryDirectory(in: "/dev/shm")
    // On a busy machine a copy takes long. Growth by a byte is growth, and fills no disk.
    let script = """
      yes abc | head -c \(size) >f; : >run
      step() { if [ $(stat -c %s f) -lt 100000000 ]; then yes abc | head -c 100000; else echo; fi; }
      (while [ -e run ]; do step >>f; done) >/dev/null 2>&1 & writer=$!
      for to in g "$1/g" g; do
        least=$(stat -c %s f)
        "$0" --tolerate-changes \(option) f "$to" 2>errors
        [ $(stat -c %s "$to") -ge $least ] && [ $(stat -c %s "$to") -le $(stat -c %s f) ]
        cmp -n $(stat -c %s "$to") f "$to"
        if grep -v 'changed while being copied$' errors; then exit 1; fi
      done
      rm run; wait $writer
      """
    let outcome = try run(
      ["bash", "-ec", script, BuiltProgram.fastcp.path, other.path],
      directory: place.path
    )
    #expect(outcome.succeeded && outcome.output.isEmpty, "\(outcome)")
  }

  @Test("Of an empty file that grows nothing is copied where lengths are kept (T22)")
  func growthOfNothing() throws {
    let place = try TemporaryDirectory(in: "/dev/shm")
    let outcome = try run(
      [
        "bash", "-ec",
        """
        : >f; : >log
        # The length of the open file counts, and not the one before.
        seen='fstat(at)?\\([0-9]+.*st_size=0'
        (until grep -qE "$seen" log; do sleep 0.01; done; echo more >>f) & writer=$!
        strace -f -qq -o log -P f -e trace=fstat,newfstatat,read,pread64 \
          -e inject=read,pread64:delay_enter=2000000 "$0" --tolerate-changes f g
        wait $writer; stat -c %s f g
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    #expect(outcome.succeeded && outcome.outputText == "5\n0\n", "\(outcome)")
  }

  @Test("Objects report a tolerated change as a warning")
  func objects() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        head -c 300000000 /dev/zero >f; : >run
        (while [ -e run ]; do echo >>f; done) >/dev/null 2>&1 & writer=$!
        "$0" --json --tolerate-changes --reflink=never f g
        rm run; wait $writer
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText.contains(#""type":"warning""#), "\(outcome)")
    #expect(outcome.outputText.contains(#""errors":0"#), "\(outcome)")
  }
}
