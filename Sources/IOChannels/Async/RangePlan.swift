/// The reads that cover a list of ranges.
///
/// Ranges that are near each other share a read, which is cheaper than two.
struct RangePlan: Sendable {
  /// A read, and the ranges that it covers.
  struct Read: Equatable, Sendable {
    var range: Range<Int64>
    /// The positions of the covered ranges in the list of the caller.
    var members: [Int]
  }

  let ranges: [Range<Int64>]
  /// The reads in the order of their offsets.
  let reads: [Read]

  /// Plans the reads.
  ///
  /// - Parameters:
  ///   - ranges: The ranges, in any order; they may overlap and be empty.
  ///   - gapLimit: The most bytes between two ranges of one read, which are read and dropped.
  ///   - lengthLimit: The most bytes of a read of several ranges.
  /// - Complexity: O(*n* log *n*) for *n* ranges.
  init(_ ranges: [Range<Int64>], gapLimit: Int64, lengthLimit: Int64) {
    self.ranges = ranges
    var reads: [Read] = []
    for member in ranges.indices.sorted(by: { ranges[$0].lowerBound < ranges[$1].lowerBound }) {
      let range = ranges[member]
      if let last = reads.last, Self.isNear(range, to: last.range, gapLimit, lengthLimit) {
        let end = max(last.range.upperBound, range.upperBound)
        reads[reads.count - 1].range = last.range.lowerBound..<end
        reads[reads.count - 1].members.append(member)
      } else {
        reads.append(Read(range: range, members: [member]))
      }
    }
    self.reads = reads
  }

  /// Returns whether a range can be added to a read that begins before it.
  private static func isNear(
    _ range: Range<Int64>,
    to read: Range<Int64>,
    _ gapLimit: Int64,
    _ lengthLimit: Int64
  ) -> Bool {
    if range.upperBound <= read.upperBound { return true }
    // Offsets may be negative, so the distances may be more than `Int64` holds.
    let (gap, hasWideGap) = range.lowerBound.subtractingReportingOverflow(read.upperBound)
    let (length, isLong) = range.upperBound.subtractingReportingOverflow(read.lowerBound)
    return !hasWideGap && !isLong && gap <= gapLimit && length <= lengthLimit
  }
}
