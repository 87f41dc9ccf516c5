import Glibc
import DataRegions
import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Openings that are cancelled in the kernel")
struct LateOpeningTests {
  @Test("A descriptor that comes too late is closed", .needs(.loop, .root))
  func lateOpening() async throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    let path = "\(image.path)/new"
    let engine = Engine(setting: "threads")
    let asker = Asker(engine)
    try runSuccessfully(["fsfreeze", "-f", image.path])
    // No signal ends the call.
    let request = asker.submit(
      .open(BytePath(path), [.writeOnly, .create], permissions: 0o600)
    )
    try waitForFrozenThread()
    engine.cancel(request)
    #expect(await asker.answer(to: request) == .failure(.canceled))
    try runSuccessfully(["fsfreeze", "-u", image.path])
    // An image with an open file cannot be unmounted.
    var looks = 0
    while try !isPresent(path) || isOpen(path), looks < 2000 { looks += 1 }
    #expect(try !isOpen(path))
  }

  /// Whether a file has a name. Each look starts a program, which leaves other threads their time.
  private func isPresent(_ path: String) throws -> Bool {
    try run(["test", "-e", path]).status == 0
  }

  /// Whether this process has a file open.
  private func isOpen(_ path: String) throws -> Bool {
    try run(["ls", "-l", "/proc/\(getpid())/fd"]).outputText.contains(path)
  }

  /// Waits until a thread of this process waits for a frozen file system.
  private func waitForFrozenThread() throws {
    let script = """
      for task in /proc/$0/task/*; do
        if grep -q percpu_rwsem_wait $task/wchan; then cat $task/comm; fi
      done 2>/dev/null; true
      """
    for _ in 0..<2000 {
      let names = try run(["sh", "-c", script, "\(getpid())"]).outputText.split(separator: "\n")
      if !names.isEmpty { return }
    }
    throw TestFailure("no thread waits for the file system")
  }
}
