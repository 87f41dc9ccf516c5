internal import CIOChannelsSystem

/// A part of a file as memory to read, unmapped when it is let go.
///
/// Where the file is cut shorter while it is mapped, reading the lost bytes raises `SIGBUS`.
@safe
package final class FileMapping: Sendable {
  /// The first byte of the part.
  nonisolated(unsafe) package let start: UnsafeMutableRawPointer
  /// The number of bytes of the part.
  package let count: Int
  /// The number of bytes that are mapped: whole pages, from a little before the part on.
  package let mappedByteCount: Int
  /// How far behind the start of the mapping the part starts.
  private let lead: Int

  /// Maps a part of an open file.
  ///
  /// - Parameters:
  ///   - file: An open file, which may be closed afterwards.
  ///   - range: The part, which is not empty and starts at no negative offset.
  /// - Throws: What the kernel says.
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
