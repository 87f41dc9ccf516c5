import IOChannelsSystem
import IOChannelsTestSupport

/// The writes and flushes of a disk, and the output of the program that used it, in their order.
struct DiskRecord {
  /// One operation.
  enum Operation {
    /// Bytes that the disk accepted, and may lose until the next flush.
    case write(ArraySlice<UInt8>, offset: Int64)
    /// A flush, after which the disk keeps all earlier writes.
    case flush
    /// Text that the program printed.
    case output(ArraySlice<UInt8>)
  }

  let operations: [Operation]

  /// Reads the record of a file `image`, which is the disk, and a file `output`.
  init(_ path: String) throws {
    let bytes = try DiskRecord.bytes(of: path)
    var (rest, operations) = (bytes[...], [Operation]())
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let fields = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      guard fields.count == 4, let offset = Int64(fields[2]), let count = Int(fields[3]) else {
        throw TestFailure("the record has the line \(fields)")
      }
      rest = rest[(end + 1)...]
      switch (fields[0], fields[1]) {
      case ("write", "image"): operations.append(.write(rest.prefix(count), offset: offset))
      case ("fsync", "image"): operations.append(.flush)
      case ("write", "output"): operations.append(.output(rest.prefix(count)))
      default: break
      }
      rest = rest.dropFirst(count)
    }
    self.operations = operations
  }

  /// The regular files below `prefix` that the program reported, each with the number of operations
  /// up to its report.
  func reports(below prefix: String) -> [String: Int] {
    var (reports, line) = ([String: Int](), [UInt8]())
    for (index, operation) in operations.enumerated() {
      guard case .output(let bytes) = operation else { continue }
      for byte in bytes {
        line.append(byte)
        guard byte == UInt8(ascii: "\n") else { continue }
        if let name = DiskRecord.reportedFile(String(decoding: line, as: UTF8.self)) {
          reports[String(name.dropFirst(prefix.count))] = index + 1
        }
        line.removeAll()
      }
    }
    return reports
  }

  /// The destination of a JSON object about a file, as names without special characters have it.
  private static func reportedFile(_ line: String) -> Substring? {
    guard line.contains(#""type":"file""#) else { return nil }
    return line.split(separator: #""destination":""#).dropFirst().first?
      .prefix { $0 != "\"" }
  }

  private static func bytes(of path: String) throws(SystemError) -> [UInt8] {
    let file = try BorrowedDescriptor.workingDirectory.open(BytePath(path), .readOnly)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = try file.borrowed.read(into: &buffer)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

/// The contents of a disk after power losses at later and later times.
struct CrashedDisk: ~Copyable {
  private let record: DiskRecord
  /// The disk with all writes up to the last flush.
  private let image: OwnedDescriptor
  /// The number of operations up to that flush.
  private var end = 0

  /// Opens a copy of the disk before the first operation, which the value changes.
  init(_ record: DiskRecord, image path: String) throws {
    self.record = record
    image = try BorrowedDescriptor.workingDirectory.open(BytePath(path), .readWrite)
  }

  /// Writes all that the disk kept before the last flush of the first `count` operations.
  ///
  /// - Returns: The later writes among these operations, of which the disk may have lost any.
  mutating func advance(to count: Int) throws -> [DiskRecord.Operation] {
    let operations = record.operations[..<count]
    let flush = operations.lastIndex { if case .flush = $0 { true } else { false } }
    if let flush, flush > end {
      for operation in operations[end..<flush] {
        try CrashedDisk.apply(operation, to: image.borrowed)
      }
      end = flush
    }
    return operations[end...].filter { if case .write = $0 { true } else { false } }
  }

  /// Writes the bytes of an operation to an image.
  static func apply(
    _ operation: DiskRecord.Operation,
    to image: BorrowedDescriptor
  ) throws(SystemError) {
    guard case .write(let part, let offset) = operation else { return }
    let bytes = Array(part)
    var written = 0
    while written < bytes.count {
      let place = offset + Int64(written)
      written += try image.write(bytes, written..<bytes.count, at: place)
    }
  }
}
