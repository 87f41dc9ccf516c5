import IOChannelsTestSupport
import Testing

@Suite("A program that reads lines and bytes from a pipe (S171)")
struct LineReaderProgramTests {
  @Test(
    "Headers and a body are read from a pipe",
    arguments: TestBackend.real,
    ["cat", "dd bs=7 status=none", "dd bs=4096 status=none"]
  )
  func headersAndBodyThroughAPipe(backend: TestBackend, writer: String) throws {
    if backend == .ring { try Need.ring.orSkip() }
    let count = writer.contains("bs=7") ? 20_000 : 400_000
    let body = pattern(count)
    let directory = try TemporaryDirectory()
    let headers = "Type: bytes\r\nLength: \(count)\r\n\r\n"
    let message = try directory.write(Array(headers.utf8) + body, to: "message")
    let output = try runSuccessfully(
      ["sh", "-c", "\(writer) < \"$1\" | \"$0\"", BuiltProgram.headerbody.path, message],
      environment: ["IOCHANNELS_BACKEND": backend.setting]
    )
    let sum = body.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
    #expect(output == "Type: bytes\nLength: \(count)\nbody \(count) \(sum)\n")
  }
}
