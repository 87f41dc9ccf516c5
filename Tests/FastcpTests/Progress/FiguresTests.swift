import Testing

@testable import fastcp

/// Numbers as people read them.
@Suite("Figures")
struct FiguresTests {
  @Test(
    "Bytes have three digits or so and a unit",
    arguments: [
      (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (10_189, "10 KiB"),
      (1_047_552, "1023 KiB"), (1_048_064, "1.0 MiB"), (1 << 30, "1.0 GiB"),
      (Int64.max, "8.0 EiB"),
    ] as [(Int64, String)]
  )
  func bytes(count: Int64, text: String) {
    #expect(Figures.bytes(count) == text)
  }

  @Test("Thousands stand apart")
  func grouped() {
    #expect(Figures.grouped(0) == "0")
    #expect(Figures.grouped(999) == "999")
    #expect(Figures.grouped(1000) == "1,000")
    #expect(Figures.grouped(1_234_567) == "1,234,567")
  }

  @Test("One thing has the singular")
  func nouns() {
    #expect(Figures.count(0, "file") == "0 files")
    #expect(Figures.count(1, "file") == "1 file")
    #expect(Figures.count(1200, "file") == "1,200 files")
    #expect(Figures.plainCount(1200, "file") == "1200 files")
    #expect(Figures.count(1, "directory", plural: "directories") == "1 directory")
    #expect(Figures.count(2, "directory", plural: "directories") == "2 directories")
  }

  @Test("Times are clocks")
  func clock() {
    #expect(Figures.clock(0) == "0:00")
    #expect(Figures.clock(59.99) == "0:59")
    #expect(Figures.clock(61) == "1:01")
    #expect(Figures.clock(3661) == "1:01:01")
    #expect(Figures.clock(.infinity) == "99999:59:59")
    #expect(Figures.seconds(0.0123) == "0.012")
    #expect(Figures.seconds(12.34) == "12.3")
  }
}
