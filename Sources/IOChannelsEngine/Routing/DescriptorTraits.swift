package import IOChannelsSystem

/// The properties of a descriptor that decide about its requests.
package struct DescriptorTraits: Hashable, Sendable {
  /// The access to the bytes of a descriptor.
  package enum Kind: Sendable {
    /// A regular file or block device: a transfer has an offset and never waits for a peer.
    case seekable
    /// A pipe, socket or terminal: bytes are sequential, and a transfer may wait for a peer.
    case pollable
  }

  /// The number of the device that holds the file.
  package var device: UInt64
  package var kind: Kind
  package var fileSystem: FileSystemKind
  /// Whether the descriptor was opened with `O_DIRECT`.
  package var isDirect: Bool
  /// Whether writes append to the file, whatever their offset.
  package var isAppending: Bool
  /// Whether a transfer may wait for a peer although the descriptor was ready.
  ///
  /// The kernel reports such a file as ready, but has no non-blocking transfers for it. Another
  /// process may take the bytes first, or the room may be enough for a part only. This applies to
  /// terminals and all other character devices, to FIFOs, to descriptors without a file
  /// (`eventfd`), and to files of procfs, tracefs and debugfs, some of which wait for events.
  /// Before Linux 6.4 it also applies to anonymous pipes.
  package var blocksWhenReady: Bool
  /// Whether the file is an anonymous pipe, whose transfers have a form that never blocks.
  package var isPipe: Bool
  /// The fewest bytes for which a read needs room, because the kernel drops the rest of a packet or
  /// message that has less.
  ///
  /// It is 1 for a file whose bytes have no bounds.
  package var messageRoom: Int

  /// The traits of a descriptor that was not examined.
  package static let unknown = DescriptorTraits(kind: .seekable, fileSystem: .other)

  package init(
    kind: Kind,
    fileSystem: FileSystemKind,
    device: UInt64 = 0,
    isDirect: Bool = false,
    isAppending: Bool = false,
    blocksWhenReady: Bool = false,
    isPipe: Bool = false,
    messageRoom: Int = 1
  ) {
    self.kind = kind
    self.fileSystem = fileSystem
    self.device = device
    self.isDirect = isDirect
    self.isAppending = isAppending
    self.blocksWhenReady = blocksWhenReady
    self.isPipe = isPipe
    self.messageRoom = messageRoom
  }

  /// Whether a transfer may wait for a peer.
  package var waitsForPeer: Bool { kind == .pollable || blocksWhenReady }

  /// Queries the kernel about an open descriptor, and also returns the length of a file.
  ///
  /// - Throws: `EBADF` for a number that is not open, `EISDIR` for a directory.
  package init(of descriptor: BorrowedDescriptor, size: inout Int) throws(SystemError) {
    let status = try descriptor.status()
    try self.init(of: descriptor, status)
    size = kind == .seekable ? Int(status.size) : 0
  }

  /// Queries the kernel about an open descriptor with a known status.
  ///
  /// - Throws: `EISDIR` for a directory.
  package init(of descriptor: BorrowedDescriptor, _ status: FileStatus) throws(SystemError) {
    let file = status.kind
    if file == .directory { throw .isDirectory }
    let flags = try descriptor.statusFlags()
    kind = file == .regular || file == .blockDevice ? .seekable : .pollable
    // A file system that returns an error counts as unknown.
    let magic = (try? descriptor.fileSystemMagic()) ?? 0
    fileSystem = FileSystemKind(magic: magic)
    let isDevice = file == .blockDevice || file == .characterDevice
    device = isDevice ? status.specialDevice : status.identity.device
    let isAnonymousPipe = file == .fifo && magic == Self.pipefs
    isPipe = isAnonymousPipe && PipeSupport.hasNonBlockingTransfers
    blocksWhenReady = !isPipe && (isAnonymousPipe || Self.blocksWhenReady(file, magic: magic))
    isDirect = flags.contains(.direct)
    isAppending = flags.contains(.append)
    messageRoom = Self.messageRoom(file, descriptor)
  }

  private static func messageRoom(_ file: FileKind, _ descriptor: BorrowedDescriptor) -> Int {
    switch file {
    case .regular, .blockDevice, .directory, .symbolicLink: 1
    // The writer of a pipe decides whether it has packets (`O_DIRECT`), of at most `PIPE_BUF`.
    case .fifo: 4096
    case .socket: descriptor.isStreamSocket ? 1 : .max
    // A packet of a network, or events (`inotify`, `signalfd`), of which the kernel returns none if
    // the first one does not fit.
    case .characterDevice, .unknown: 64 << 10
    }
  }

  private static func blocksWhenReady(_ file: FileKind, magic: UInt32) -> Bool {
    switch file {
    case .regular: [procfs, tracefs, debugfs].contains(magic)
    case .fifo: true
    case .blockDevice, .directory, .socket, .symbolicLink: false
    case .characterDevice, .unknown: true
    }
  }

  private static let procfs: UInt32 = 0x9FA0
  private static let tracefs: UInt32 = 0x7472_6163
  private static let debugfs: UInt32 = 0x6462_6720
  /// The magic number of the file system of unnamed pipes.
  private static let pipefs: UInt32 = 0x5049_5045

  /// Queries the kernel about an open descriptor.
  ///
  /// - Throws: `EBADF` for a number that is not open, `EISDIR` for a directory.
  package init(of descriptor: BorrowedDescriptor) throws(SystemError) {
    var size = 0
    try self.init(of: descriptor, size: &size)
  }
}
