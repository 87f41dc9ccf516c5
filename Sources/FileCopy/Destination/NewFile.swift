import IOChannelsSystem

/// A file beside the copy, as a manifest, that has no name or a hidden one until it is complete.
final class NewFile: Sendable {
  private let file: OwnedDescriptor
  /// The directory of the hidden name.
  private let place: OwnedDescriptor
  private let hiddenName: BytePath
  /// Whether the file has its hidden name already.
  private let isNamed: Bool

  /// Creates a file in a directory.
  init(in directory: BorrowedDescriptor) throws(SystemError) {
    place = try directory.duplicate()
    let owner =
      ProcessIdentity.current
      ?? ProcessIdentity(host: .random(in: .min ... .max), number: 0, start: 0)
    hiddenName = HiddenNames.name(.random(in: .min ... .max), of: owner)
    if ProcessLimits.canNameOpenFiles,
      let unnamed = try? directory.open(".", [.unnamed, .readWrite], permissions: 0o666)
    {
      file = unnamed
      isNamed = false
    } else {
      file = try directory.open(
        hiddenName,
        [.create, .exclusive, .noFollow, .readWrite],
        permissions: 0o666
      )
      isNamed = true
    }
  }

  deinit {
    // After it was published, no file has the hidden name.
    if isNamed { place.borrowed.removeOwn(hiddenName) }
  }

  /// Appends bytes.
  func append(_ bytes: [UInt8]) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = try file.borrowed.write(bytes, written..<bytes.count)
      // A file that accepts no bytes without an error would never be complete.
      if count == 0 { throw .ioError }
      written += count
    }
  }

  /// Reads bytes at an offset.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  func read(into buffer: inout [UInt8], at offset: Int64) throws(SystemError) -> Int {
    try file.borrowed.read(into: &buffer, at: offset)
  }

  /// Flushes the file, and renames it to a name of the directory. It replaces an existing file.
  func publish(as name: BytePath, in directory: BorrowedDescriptor) throws(SystemError) {
    do throws(SystemError) {
      try file.borrowed.synchronize(dataOnly: false)
    } catch {
      // Some file systems cannot flush a file.
      if !error.isRefusal { throw error }
    }
    if !isNamed { try directory.link(file.borrowed, as: hiddenName) }
    do throws(SystemError) {
      try directory.rename(hiddenName, to: name, replacing: true)
    } catch {
      directory.removeOwn(hiddenName)
      throw error
    }
  }
}
