import IOChannelsTestSupport
import Testing

/// The tests' own tools: what they promise to the other tests.
@Suite("Test support")
struct SupportTests {
  @Test("A child's streams, status and environment come back")
  func child() throws {
    let outcome = try run(
      ["sh", "-c", "cat; echo \"$SEEN-$HOME\" >&2; pwd; exit 3"],
      environment: ["SEEN": "yes", "HOME": nil],
      directory: "/usr",
      input: Array("in ".utf8)
    )
    #expect(outcome.status == 3)
    #expect(!outcome.succeeded)
    #expect(outcome.outputText == "in /usr\n")
    #expect(outcome.errorLines == ["yes-"])
  }

  @Test("A program that is not there is a failure with its number")
  func missingProgram() {
    #expect(throws: TestFailure.self) { try run(["/nonexistent/program"]) }
  }

  @Test("A child that a signal ends reports the signal")
  func signal() throws {
    let child = try ChildProcess(["sleep", "100"])
    child.send(signal: 15)
    let outcome = try child.wait()
    #expect(outcome.signal == 15)
    #expect(!outcome.succeeded)
  }

  @Test("A child that does not end is killed with its group")
  func timeout() {
    #expect(throws: TestFailure.self) {
      try run(["sh", "-c", "sleep 100 & wait"], timeout: .milliseconds(50))
    }
  }

  @Test("A child that was not waited for is gone with its owner", arguments: [false, true])
  func abandonedChild(ends: Bool) throws {
    var child: ChildProcess? = try ChildProcess(["sleep", ends ? "0" : "100"])
    let number = try #require(child?.identifier)
    if !ends { #expect(child?.hasEnded == false) }
    child = nil
    #expect(try !run(["test", "-e", "/proc/\(number)"]).succeeded)
  }

  @Test("A child inherits no descriptor but the standard ones")
  func descriptors() throws {
    let listed = try runSuccessfully(["sh", "-c", "ls /proc/$$/fd"])
    #expect(listed == "0\n1\n2\n")
  }

  @Test("A temporary directory goes with its owner, closed directories too")
  func temporaryDirectory() throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let path = try #require(directory).path
    try runSuccessfully(["sh", "-c", "mkdir -p \"$0/a/b\" && chmod 0 \"$0/a\"", path])
    directory = nil
    #expect(try !run(["test", "-e", path]).succeeded)
  }

  @Test("A loop image is mounted and unmounted", .needs(.loop))
  func loopImage() throws {
    var image: LoopImage? = try LoopImage(.ext4, megabytes: 8)
    let path = try #require(image).path
    #expect(try runSuccessfully(["stat", "-f", "-c", "%T", path]) == "ext2/ext3\n")
    image = nil
    #expect(try !run(["mountpoint", "-q", path]).succeeded)
  }

  @Test("A small file system fills up", .needs(.root))
  func memoryFileSystem() throws {
    let small = try MemoryFileSystem(kibibytes: 64)
    let outcome = try run(["dd", "if=/dev/zero", "of=\(small.path)/x", "bs=128k", "count=1"])
    #expect(outcome.errorText.contains("No space left"))
  }

  @Test("The sandbox denies a call, a descriptor count and the superuser")
  func sandbox() throws {
    let denied = try run([
      BuiltProgram.sandboxrun.path, "uring=1", "nofile=32", "--", "sh", "-c", "ulimit -n",
    ])
    #expect(denied.outputText == "32\n")
    // 83 and 34 are mkdir and mkdirat.
    let made = try run([
      BuiltProgram.sandboxrun.path, "deny=83:122", "deny=258:122", "deny=34:122", "--", "mkdir",
      "/tmp/never-made",
    ])
    #expect(made.status == 1)
    #expect(made.errorText.contains("quota"))
    let unknown = try run([BuiltProgram.sandboxrun.path, "color=1", "--", "true"])
    #expect(unknown.status == 125)
  }

  @Test("The same seed gives the same numbers, and another seed others")
  func generator() {
    var one = SeededGenerator(seed: 7)
    var other = SeededGenerator(seed: 7)
    var third = SeededGenerator(seed: 8)
    let bytes = one.bytes(100)
    #expect(bytes.count == 100)
    #expect(bytes == other.bytes(100))
    #expect(bytes != third.bytes(100))
  }
}
