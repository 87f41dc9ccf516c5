import Testing

@testable import FileCopy
@testable import fastcp

/// What a line about a running copy says.
@Suite("Progress lines")
struct ProgressLineTests {
  private func progress(_ change: (inout CopyProgress) -> Void) -> CopyProgress {
    var progress = CopyProgress()
    progress.elapsed = .seconds(10)
    progress.fileCount = 1200
    progress.byteCount = 100 << 20
    change(&progress)
    return progress
  }

  private var rate: RateEstimate {
    var rate = RateEstimate()
    rate.note(bytes: 0, at: 0)
    rate.note(bytes: 100 << 20, at: 10)
    return rate
  }

  @Test("Without a count there is neither share nor end")
  func uncounted() {
    let line = ProgressLine(progress: progress { _ in }, rate: rate)
    #expect(line.text(columns: 80) == "1,200 files  100 MiB  10 MiB/s  0:10")
  }

  @Test("The flush at the end is a phase of its own (T54)")
  func flushing() {
    let flushed = progress {
      $0.unwrittenByteCount = 1_288_490_189
      $0.expectedByteCount = 200 << 20
    }
    let line = ProgressLine(progress: flushed, rate: rate)
    #expect(line.text(columns: 80) == "writing to disk: 1.2 GiB left")
    #expect(line.text(columns: 28) == "1.2 GiB left")
    #expect(line.text(columns: 11) == "")
    #expect(line.json.text.contains("\"bytes_unwritten\":1288490189"))
    var ended = flushed
    ended.isFinished = true
    let last = ProgressLine(progress: ended, rate: rate)
    #expect(last.text(columns: 80).contains("100 MiB"))
  }

  @Test("One file and one error have the singular")
  func singular() {
    func text(_ change: (inout CopyProgress) -> Void) -> String {
      let line = ProgressLine(
        progress: progress {
          $0.byteCount = 0
          $0.fileCount = 1
          change(&$0)
        },
        rate: RateEstimate()
      )
      return line.text(columns: 80)
    }
    let uncounted = text { _ in }
    #expect(uncounted == "1 file  0 B  0:10")
    let failed = text { $0.failureCount = 1 }
    #expect(failed == "1 file  0 B  0:10  1 error")
    let open = text { $0.expectedFileCount = 1 }
    #expect(open == "1/1+ files  0 B  0:10")
    let counted = text {
      $0.expectedFileCount = 1
      $0.isCounted = true
    }
    #expect(counted.hasPrefix("1/1 file  0 B"))
  }

  @Test("Totals are open until the count is complete")
  func counting() {
    let line = ProgressLine(
      progress: progress {
        $0.expectedFileCount = 1300
        $0.expectedByteCount = 200 << 20
      },
      rate: rate
    )
    #expect(line.text(columns: 80) == "1,200/1,300+ files  100 MiB/200 MiB+  10 MiB/s  0:10")
  }

  @Test("When all is counted the line shows the end, and errors")
  func counted() {
    let line = ProgressLine(
      progress: progress {
        $0.expectedFileCount = 2400
        $0.expectedByteCount = 200 << 20
        $0.isCounted = true
        $0.failureCount = 2
      },
      rate: rate
    )
    #expect(
      line.text(columns: 100)
        == "50%  1,200/2,400 files  100 MiB/200 MiB  10 MiB/s  0:10  ETA ~0:10  2 errors"
    )
    #expect(
      line.json.text
        == #"{"type":"progress","seconds":10.000,"files":1200,"bytes":104857600,"#
        + #""files_total":2400,"bytes_total":209715200,"bytes_per_second":10485760,"#
        + #""seconds_left":10.000,"errors":2}"#
    )
  }

  @Test("A narrow terminal shows fewer fields, and each of them completely")
  func narrow() {
    let line = ProgressLine(
      progress: progress {
        $0.expectedFileCount = 2400
        $0.expectedByteCount = 200 << 20
        $0.isCounted = true
        $0.failureCount = 2
      },
      rate: rate
    )
    let fields = line.text(columns: .max).split(separator: "  ")
    #expect(fields.count == 7)
    for columns in 0...100 {
      let text = line.text(columns: columns)
      #expect(text.count <= columns)
      #expect(text.split(separator: "  ").allSatisfy { fields.contains($0) }, "\(text)")
    }
    #expect(line.text(columns: 59) == "50%  100 MiB/200 MiB  ETA ~0:10  2 errors")
    #expect(line.text(columns: 40) == "50%  100 MiB/200 MiB  2 errors")
    #expect(line.text(columns: 12) == "50%")
    #expect(line.text(columns: 2) == "")
  }

  @Test("The line ends with the file that is being copied, as far as there is room")
  func names() {
    func text(_ path: BytePath, _ columns: Int) -> String {
      ProgressLine(progress: progress { $0.currentFile = path }, rate: rate).text(columns: columns)
    }
    let (most, all) = ("1,200 files  100 MiB  10 MiB/s", "1,200 files  100 MiB  10 MiB/s  0:10")
    let path: BytePath = "dir/holiday photo.jpg"
    #expect(text(path, .max) == "\(all)  'dir/holiday photo.jpg'")
    #expect(text(path, 61) == "\(all)  'dir/holiday photo.jpg'")
    #expect(text(path, 60) == "\(all)  'holiday photo.jpg'")
    #expect(text(path, 56) == "\(all)  'holiday photo....")
    #expect(text(path, 49) == "\(most)  'holiday photo...")
    #expect(text(path, 30) == most)
    #expect(text("a", 39) == "\(all)  a")
    #expect(text("a", 38) == "\(most)  a")
    // A character may take two columns, and control characters are escaped.
    #expect(text("\u{65e5}\u{672c}", 44) == "\(all)  '\u{65e5}\u{672c}'")
    #expect(text("\u{65e5}\u{672c}", 43) == "\(most)  '\u{65e5}\u{672c}'")
    #expect(text("a\n", .max) == "\(all)  'a'$'\\n'")
    let line = ProgressLine(progress: progress { $0.currentFile = path }, rate: rate)
    #expect(line.json.text.contains(#""source":"dir/holiday photo.jpg""#))
  }

  @Test("Only a copy that left nothing out ends with 100 %")
  func ends() {
    func text(_ count: Int64, isComplete: Bool) -> String {
      let ended = progress {
        $0.byteCount = count
        $0.expectedFileCount = 1200
        $0.expectedByteCount = 200 << 20
        $0.isCounted = true
        $0.isFinished = true
      }
      var line = ProgressLine(progress: ended, rate: rate)
      line.isComplete = isComplete
      return line.text(columns: 80)
    }
    #expect(text(100 << 20, isComplete: false).hasPrefix("50%  "))
    #expect(text(200 << 20, isComplete: false).hasPrefix("100%  "))
    // A generated file may have fewer bytes than its length.
    #expect(text(100 << 20, isComplete: true).hasPrefix("100%  "))
  }

  @Test("More than was counted is not more than all")
  func tooMuch() {
    let line = ProgressLine(
      progress: progress {
        $0.expectedFileCount = 1
        $0.expectedByteCount = 1
        $0.isCounted = true
      },
      rate: rate
    )
    #expect(
      line.text(columns: 80) == "99%  1,200/1,200 files  100 MiB/100 MiB  10 MiB/s  0:10  ETA ~0:00"
    )
  }

  @Test("The rate follows slowly, and standing still shows in it")
  func smoothing() throws {
    var rate = RateEstimate()
    rate.note(bytes: 0, at: 0)
    #expect(rate.rate == nil && rate.seconds(for: 1) == nil)
    rate.note(bytes: 1000, at: 1)
    #expect(rate.rate == 1000)
    rate.note(bytes: 1000, at: 1)
    #expect(rate.rate == 1000)
    rate.note(bytes: 11_000, at: 2)
    let faster = try #require(rate.rate)
    #expect(faster > 2000 && faster < 4000)
    for second in 3...60 { rate.note(bytes: 11_000, at: Double(second)) }
    rate.note(bytes: 0, at: 60.5)
    let stalled = try #require(rate.rate)
    #expect(stalled >= 0)
    #expect(stalled < 1)
    #expect(rate.seconds(for: 1000) == nil)
  }
}
