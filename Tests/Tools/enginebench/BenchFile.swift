import Glibc
import IOChannelsEngine
import IOChannelsSystem

/// The file that is read or written, brought into the state in which a round begins.
struct BenchFile: ~Copyable {
  private let descriptor: OwnedDescriptor
  private let work: Work
  let traits: DescriptorTraits

  init(for work: Work) throws {
    let opened = try BorrowedDescriptor.workingDirectory.open(
      BytePath(work.path),
      [.readWrite, .create],
      permissions: 0o600
    )
    let file = opened.borrowed
    if work.operation != .new { try BenchFile.fill(file, upTo: work.span) }
    if work.pages == .direct { try file.setStatusFlags(try file.statusFlags().union(.direct)) }
    traits = try DescriptorTraits(of: file)
    self.work = work
    descriptor = opened
  }

  var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Does before a round what the clock must not see.
  func prepare() throws {
    if work.operation == .new { try descriptor.borrowed.setSize(0) }
    fsync(descriptor.rawValue)
    switch work.pages {
    case .cached where work.operation != .new: try readAll()
    case .cached, .direct: break
    case .cold: posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED)
    }
  }

  private func readAll() throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while offset < work.span {
      let count = try descriptor.borrowed.read(into: &bytes, at: Int64(offset))
      if count == 0 { throw BenchFailure("the file is shorter than expected") }
      offset += count
    }
  }

  /// Gives the file bytes of its own: blocks that were never written are not read from the disk.
  private static func fill(_ file: BorrowedDescriptor, upTo size: Int) throws {
    var written = Int(try file.status().size)
    var bits: UInt64 = 88_172_645_463_325_252
    let bytes = (0..<1 << 20).map { _ in
      bits ^= bits << 13
      bits ^= bits >> 7
      bits ^= bits << 17
      return UInt8(truncatingIfNeeded: bits)
    }
    while written < size {
      written += try file.write(bytes, 0..<min(bytes.count, size - written), at: Int64(written))
    }
  }
}
