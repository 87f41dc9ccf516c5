import IOChannelsSystem

/// The ranges of a source and its copy in which at least one of them has data.
///
/// Both files have holes in all other ranges, and so the same zeros. They need not be read.
struct DataRanges {
  private let files: [BorrowedDescriptor]
  private let length: Int64
  private var position: Int64 = 0

  /// Creates the ranges of the first `length` bytes of two files.
  init(of source: BorrowedDescriptor, and copy: BorrowedDescriptor, length: Int64) {
    files = [source, copy]
    self.length = length
  }

  /// Returns the next range; nil after the last one.
  ///
  /// Its bounds are aligned for direct I/O, so that it may begin with bytes of a hole. The last one
  /// may extend past the end of the files.
  mutating func next() -> Range<Int64>? {
    guard position < length else { return nil }
    let found = files.map { (file: $0, start: dataStart(of: $0)) }
    guard let first = found.min(by: { $0.start < $1.start }), first.start < length else {
      position = length
      return nil
    }
    let start = max(position, first.start - first.start % ContentSum.alignment)
    let end = max(holeStart(of: first.file, after: first.start), start + 1)
    position = DataRanges.aligned(end)
    return start..<position
  }

  /// Returns the position of the next data of a file; the end if only a hole follows.
  ///
  /// If the file system does not report it, everything is data. An error of the disk then shows in
  /// the read.
  private func dataStart(of file: BorrowedDescriptor) -> Int64 {
    (try? file.nextData(from: position) ?? length) ?? position
  }

  private func holeStart(of file: BorrowedDescriptor, after start: Int64) -> Int64 {
    min((try? file.nextHole(from: start) ?? length) ?? length, length)
  }

  /// Returns the next aligned offset; the offset itself if the next one is too large for a number.
  private static func aligned(_ offset: Int64) -> Int64 {
    let rest = offset % ContentSum.alignment
    if rest == 0 { return offset }
    let (next, overflows) = (offset - rest).addingReportingOverflow(ContentSum.alignment)
    return overflows ? offset : next
  }
}
