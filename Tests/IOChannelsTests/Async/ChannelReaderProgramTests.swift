import IOChannelsTestSupport
import Testing

@Suite("A program that reads lines and bytes from its standard input (S171, S224, S225)")
struct ChannelReaderProgramTests {
  /// A message in a file, and the output that it has.
  private struct Message {
    let directory: TemporaryDirectory
    let path: String
    let output: String

    init(count: Int) throws {
      let body = pattern(count)
      directory = try TemporaryDirectory()
      let headers = "Type: bytes\r\nLength: \(count)\r\n\r\n"
      path = try directory.write(Array(headers.utf8) + body, to: "message")
      let sum = body.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
      output = "Type: bytes\nLength: \(count)\nbody \(count) \(sum)\n"
    }
  }

  /// Runs a script in which `$0` is the program, and `$1` the message.
  private func run(_ script: String, _ message: Message, _ backend: TestBackend) throws -> String {
    if backend == .ring { try Need.ring.orSkip() }
    return try runSuccessfully(
      ["sh", "-c", script, BuiltProgram.headerbody.path, message.path],
      environment: ["IOCHANNELS_BACKEND": backend.setting]
    )
  }

  @Test(
    "Headers and a body are read from a pipe",
    arguments: TestBackend.real,
    ["cat", "dd bs=7 status=none", "dd bs=4096 status=none"]
  )
  func headersAndBodyThroughAPipe(backend: TestBackend, writer: String) throws {
    let message = try Message(count: writer.contains("bs=7") ? 20_000 : 400_000)
    #expect(try run("\(writer) < \"$1\" | \"$0\"", message, backend) == message.output)
  }

  @Test("Redirected files are read and written at their positions", arguments: TestBackend.real)
  func redirectedFiles(backend: TestBackend) throws {
    let message = try Message(count: 100_000)
    let script = """
      (dd bs=1 count=6 status=none; "$0") < "$1" > "$1.out"
      "$0" < "$1" >> "$1.out"
      cat "$1.out"
      """
    let cut = message.output.dropFirst("Type: ".count)
    #expect(try run(script, message, backend) == "Type: \(cut)\(message.output)")
  }
}
