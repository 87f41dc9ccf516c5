package import SystemCalls

/// What is known of a descriptor before its first request.
package struct DescriptorTraits: Hashable, Sendable {
  /// How a descriptor's bytes are reached.
  package enum Kind: Sendable {
    /// A regular file or block device: every transfer has an offset and never waits for a peer.
    case seekable
    /// A pipe, socket or terminal: bytes come and go in order, and may keep us waiting.
    case pollable
  }

  /// The number of the device that the file lies on.
  package var device: UInt64
  package var kind: Kind
  package var fileSystem: FileSystemKind
  /// Whether the descriptor was opened with `O_DIRECT`.
  package var isDirect: Bool
  /// Whether every write goes to the end of the file, whatever its offset.
  package var isAppending: Bool

  /// What is known of a descriptor that nobody has looked at.
  package static let unknown = DescriptorTraits(kind: .seekable, fileSystem: .other)

  package init(
    kind: Kind,
    fileSystem: FileSystemKind,
    device: UInt64 = 0,
    isDirect: Bool = false,
    isAppending: Bool = false
  ) {
    self.kind = kind
    self.fileSystem = fileSystem
    self.device = device
    self.isDirect = isDirect
    self.isAppending = isAppending
  }

  /// Asks the kernel about an open descriptor, and for the length of a file on the way.
  ///
  /// - Throws: `EBADF` for a number that is not open; `EISDIR` for a directory.
  package init(of descriptor: BorrowedDescriptor, size: inout Int) throws(Errno) {
    let status = try descriptor.status()
    try self.init(of: descriptor, status)
    size = kind == .seekable ? Int(status.size) : 0
  }

  /// Asks the kernel about an open descriptor of a known status.
  ///
  /// - Throws: As the other initializer.
  package init(of descriptor: BorrowedDescriptor, _ status: FileStatus) throws(Errno) {
    let file = status.kind
    if file == .directory { throw .isDirectory }
    let flags = try descriptor.statusFlags()
    kind = file == .regular || file == .blockDevice ? .seekable : .pollable
    fileSystem = FileSystemKind(of: descriptor)
    device = file == .blockDevice ? status.specialDevice : status.identity.device
    isDirect = flags.contains(.direct)
    isAppending = flags.contains(.append)
  }

  /// Asks the kernel about an open descriptor.
  ///
  /// - Throws: `EBADF` for a number that is not open; `EISDIR` for a directory.
  package init(of descriptor: BorrowedDescriptor) throws(Errno) {
    var size = 0
    try self.init(of: descriptor, size: &size)
  }
}
