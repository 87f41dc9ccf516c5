internal import CIOChannelsSystem

/// A part of a file that is mapped into memory for reading.
///
/// The mapping lasts as long as the object. If the file is truncated meanwhile, reading the missing
/// bytes raises `SIGBUS`.
@safe
package final class FileMapping: Sendable {
  /// The address of the first byte.
  nonisolated(unsafe) package let start: UnsafeMutableRawPointer
  /// The number of bytes.
  package let count: Int
  /// The number of mapped bytes: full pages, which start at most one page before the part.
  package let mappedByteCount: Int
  /// The distance between the start of the mapping and the start of the part.
  private let lead: Int

  /// Maps a part of an open file.
  ///
  /// - Parameters:
  ///   - file: An open file, which may be closed afterwards.
  ///   - range: The part, which is not empty and has no negative offsets.
  /// - Throws: The error of the mapping, `EOVERFLOW` if the range is too long.
  package init(_ file: BorrowedDescriptor, _ range: Range<Int>) throws(SystemError) {
    precondition(
      range.lowerBound >= 0 && !range.isEmpty,
      "A mapped part of a file has bytes and starts inside of it."
    )
    let page = Int(csys_page_size())
    lead = range.lowerBound % page
    count = range.count
    let (length, isTooLong) = (lead + page - 1).addingReportingOverflow(count)
    if isTooLong { throw .overflow }
    mappedByteCount = length / page * page
    let address = try csys_map_file(
      file.rawValue,
      Int64(range.lowerBound - lead),
      mappedByteCount
    ).get()
    guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: address) else { throw .noMemory }
    unsafe start = memory + lead
  }

  deinit {
    unsafe csys_free_pages(start - lead, mappedByteCount)
  }
}
