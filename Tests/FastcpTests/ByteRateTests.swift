import FileCopy
import Testing

@testable import fastcp

/// The value of `--bwlimit`.
@Suite("Rates on the command line")
struct ByteRateTests {
  @Test(
    "A rate is a number of bytes with an optional unit",
    arguments: [
      ("1", 1), ("500", 500), ("2K", 2048), ("2k", 2048), ("2KiB", 2048), ("2KB", 2000),
      ("3M", 3 << 20), ("3MB", 3_000_000), ("1G", 1 << 30), ("1T", 1 << 40), ("1P", 1 << 50),
    ] as [(String, Int64)]
  )
  func valid(word: String, rate: Int64) throws {
    #expect(ByteRate.parse(BytePath(word)) == rate)
    let parsed = ArgumentParser().parse([BytePath("--bwlimit=\(word)"), "a", "b"])
    var options: CopyOptions?
    if case .copy(let request) = try Command(parsed) { options = request.options }
    #expect(options?.contents.byteRate == rate)
  }

  @Test(
    "Any other value is refused, with examples",
    arguments: ["", "0", "-1", "K", "1.5M", "10 M", "1X", "1KIB", "1KiBs", "9999P", "many"]
  )
  func invalid(word: String) {
    let parsed = ArgumentParser().parse([BytePath("--bwlimit=\(word)"), "a", "b"])
    #expect(throws: UsageError.badRate(BytePath(word))) { _ = try Command(parsed) }
    #expect(
      UsageError.badRate("x").text(quoting: .utf8)
        == "invalid rate: 'x' (must be a number of bytes such as 500K, 20M or 1GB)"
    )
  }
}
