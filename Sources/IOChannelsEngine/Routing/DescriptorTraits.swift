package import IOChannelsSystem

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
  /// Whether a transfer may wait for a peer although the descriptor was ready.
  ///
  /// The kernel reports such a file as ready, but its calls know no way not to wait: another
  /// process may take the bytes, or the room may be for a part. True of terminals and all other
  /// character devices, of FIFOs, of descriptors without a file (`eventfd`), and of files of
  /// procfs, tracefs and debugfs, some of which wait for events.
  package var blocksWhenReady: Bool

  /// What is known of a descriptor that nobody has looked at.
  package static let unknown = DescriptorTraits(kind: .seekable, fileSystem: .other)

  package init(
    kind: Kind,
    fileSystem: FileSystemKind,
    device: UInt64 = 0,
    isDirect: Bool = false,
    isAppending: Bool = false,
    blocksWhenReady: Bool = false
  ) {
    self.kind = kind
    self.fileSystem = fileSystem
    self.device = device
    self.isDirect = isDirect
    self.isAppending = isAppending
    self.blocksWhenReady = blocksWhenReady
  }

  /// Whether a transfer may wait for a peer.
  package var waitsForPeer: Bool { kind == .pollable || blocksWhenReady }

  /// Asks the kernel about an open descriptor, and for the length of a file on the way.
  ///
  /// - Throws: `EBADF` for a number that is not open; `EISDIR` for a directory.
  package init(of descriptor: BorrowedDescriptor, size: inout Int) throws(SystemError) {
    let status = try descriptor.status()
    try self.init(of: descriptor, status)
    size = kind == .seekable ? Int(status.size) : 0
  }

  /// Asks the kernel about an open descriptor of a known status.
  ///
  /// - Throws: As the other initializer.
  package init(of descriptor: BorrowedDescriptor, _ status: FileStatus) throws(SystemError) {
    let file = status.kind
    if file == .directory { throw .isDirectory }
    let flags = try descriptor.statusFlags()
    kind = file == .regular || file == .blockDevice ? .seekable : .pollable
    // A file system that does not answer is none of those that are known.
    let magic = (try? descriptor.fileSystemMagic()) ?? 0
    fileSystem = FileSystemKind(magic: magic)
    let isDevice = file == .blockDevice || file == .characterDevice
    device = isDevice ? status.specialDevice : status.identity.device
    blocksWhenReady = Self.blocksWhenReady(file, magic: magic)
    isDirect = flags.contains(.direct)
    isAppending = flags.contains(.append)
  }

  private static func blocksWhenReady(_ file: FileKind, magic: UInt32) -> Bool {
    switch file {
    case .regular: [procfs, tracefs, debugfs].contains(magic)
    case .fifo: magic != pipefs
    case .blockDevice, .directory, .socket, .symbolicLink: false
    case .characterDevice, .unknown: true
    }
  }

  private static let procfs: UInt32 = 0x9FA0
  private static let tracefs: UInt32 = 0x7472_6163
  private static let debugfs: UInt32 = 0x6462_6720
  /// The file system of pipes without a name.
  private static let pipefs: UInt32 = 0x5049_5045

  /// Asks the kernel about an open descriptor.
  ///
  /// - Throws: `EBADF` for a number that is not open; `EISDIR` for a directory.
  package init(of descriptor: BorrowedDescriptor) throws(SystemError) {
    var size = 0
    try self.init(of: descriptor, size: &size)
  }
}
