import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Memory pressure of processes")
struct MemoryPressureProcessTests {
  private let program = BuiltProgram.pressure.path
  /// Without the variables of a service that the tests may be.
  private static let plain: [String: String?] = [
    "MEMORY_PRESSURE_WATCH": nil, "MEMORY_PRESSURE_WRITE": nil,
  ]

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  /// Runs a command that takes seconds, on a thread that no task waits for.
  private func output(
    _ command: [String],
    environment: [String: String?]
  ) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      WorkQueue.global().async {
        continuation.resume(
          with: Result {
            try runSuccessfully(command, environment: environment, timeout: .seconds(120))
          }
        )
      }
    }
  }

  private func watching(_ path: String, _ message: String? = nil) -> [String: String?] {
    ["MEMORY_PRESSURE_WATCH": path, "MEMORY_PRESSURE_WRITE": message]
  }

  @Test("A process under a memory limit gets its levels and the fall", .needs(.pressure))
  func memoryLimit() async throws {
    let group = try MemoryGroup(megabytes: 32)
    // Pages of a file on a disk: those in memory could not be taken away. The file is a little
    // larger than the limit: of a page that was taken away long ago, the kernel no longer knows
    // that it was in use, and a read of it counts as no stall.
    let place = try TemporaryDirectory(in: "/var/tmp")
    let script = "head -c 48M /dev/zero >\"$1\" && sync \"$1\" && exec \"$0\" load \"$1\""
    let output = try await output(
      group.command(["sh", "-c", script, program, place("file")]),
      environment: Self.plain
    )
    let levels = lines(output).dropFirst(2)
    #expect(output.contains("reg\n"))
    #expect(["warning", "critical", "warning|critical"].contains(levels.first))
    #expect(levels.suffix(2) == ["warning", "normal"])
  }

  @Test("The service manager's FIFO gives a warning, and the level falls by itself")
  func fifo() async throws {
    let place = try TemporaryDirectory()
    let path = place("fifo")
    try runSuccessfully(["mkfifo", path])
    let ends = try PipeEnds(fifo: path)
    _ = try ends.writing.borrowed.write([1], 0..<1)
    let output = try await output(
      [program, "levels", "2"],
      environment: watching(path, "c29tZSAyMDAwMDAgMjAwMDAwMAA=")
    )
    #expect(lines(output) == ["provider \(path)", "reg", "warning", "normal"])
  }

  @Test("Nothing is written to a file that does not report pressure")
  func foreignFile() throws {
    let place = try TemporaryDirectory()
    let path = try place.write(Array("content".utf8), to: "file")
    let output = try runSuccessfully([program, "open"], environment: watching(path, "c29tZQ=="))
    #expect(!output.contains(path))
    #expect(try runSuccessfully(["cat", path]) == "content")
  }

  @Test("A source is refused if the service manager has switched reports off")
  func switchedOff() throws {
    let output = try runSuccessfully([program, "open"], environment: watching("/dev/null"))
    #expect(output == "error 95\n")
  }

  @Test("A source is refused where nothing reports pressure", .needs(.root))
  func nothing() throws {
    let script = """
      mount -t tmpfs none /sys/fs/cgroup
      if [ -d /proc/pressure ]; then mount -t tmpfs none /proc/pressure; fi
      exec "$0" open
      """
    let output = try runSuccessfully(
      ["unshare", "-m", "sh", "-ec", script, program],
      environment: Self.plain
    )
    #expect(output == "error 95\n")
  }

  @Test("A control group of version 1 reports where nothing else does", .needs(.root))
  func legacy() throws {
    let script = """
      if [ -d /sys/fs/cgroup/unified ]; then umount /sys/fs/cgroup/unified; fi
      if [ -d /proc/pressure ]; then mount -t tmpfs none /proc/pressure; fi
      if [ -e /sys/fs/cgroup/memory/cgroup.event_control ]; then echo legacy; fi
      exec "$0" open
      """
    let output = try runSuccessfully(
      ["unshare", "-m", "sh", "-ec", script, program],
      environment: Self.plain
    )
    if output.hasPrefix("legacy\n") {
      #expect(output.hasPrefix("legacy\nprovider /sys/fs/cgroup/memory"))
    }
  }
}
