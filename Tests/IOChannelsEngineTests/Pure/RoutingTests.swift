import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Routing")
struct RoutingTests {
  /// Where transfers leave the ring, by size: `reads`, `writes` and `lone` writes, for which their
  /// owners wait, are the first that stay; nil where none does.
  private struct Row {
    let fileSystem: FileSystemKind
    let isDirect: Bool
    let reads: Int
    let writes: Int
    let lone: Int?
  }

  private static let rows = [
    Row(fileSystem: .ext4, isDirect: false, reads: 0, writes: 64 << 10, lone: nil),
    Row(fileSystem: .ext4, isDirect: true, reads: 0, writes: 0, lone: 0),
    Row(fileSystem: .xfs, isDirect: false, reads: 0, writes: 0, lone: 0),
    Row(fileSystem: .xfs, isDirect: true, reads: 0, writes: 0, lone: 0),
    Row(fileSystem: .btrfs, isDirect: false, reads: 0, writes: 64 << 10, lone: 256 << 10),
    Row(fileSystem: .btrfs, isDirect: true, reads: 0, writes: 64 << 10, lone: 256 << 10),
    Row(fileSystem: .tmpfs, isDirect: false, reads: 1 << 20, writes: 64 << 10, lone: 1 << 20),
    Row(fileSystem: .tmpfs, isDirect: true, reads: 1 << 20, writes: 256 << 10, lone: 4 << 20),
  ]

  @Test("Small transfers leave the ring where threads are faster")
  func smallTransfersLeaveTheRingWhereTheyWereMeasuredToGain() {
    for row in Self.rows {
      let traits = DescriptorTraits(
        kind: .seekable,
        fileSystem: row.fileSystem,
        isDirect: row.isDirect
      )
      let limits: [(kind: Request.Kind, isAlone: Bool, first: Int?)] = [
        (.read, false, row.reads), (.read, true, row.reads), (.write, false, row.writes),
        (.write, true, row.lone),
      ]
      for (kind, isAlone, first) in limits {
        func route(_ length: Int) -> Route {
          RoutingTable.route(kind, length: length, traits: traits, isAlone: isAlone)
        }
        guard let first else {
          for length in [1, 64 << 10, 1 << 20, 64 << 20] { #expect(route(length) == .pool) }
          continue
        }
        #expect(route(first) == .ring, "\(kind), alone \(isAlone), \(traits)")
        #expect(route(4 << 20) == .ring, "\(kind), alone \(isAlone), \(traits)")
        #expect(first == 0 || route(first - 1) == .pool, "\(kind), alone \(isAlone), \(traits)")
        #expect(first == 0 || route(1) == .pool, "\(kind), alone \(isAlone), \(traits)")
      }
    }
  }

  /// On FUSE with direct I/O the ring reports bytes that the file does not have, so even
  /// experiments do not send it files of file systems that no test has seen on it.
  @Test("Files of unknown file systems never reach the ring")
  func filesOfUnknownFileSystemsNeverReachTheRing() {
    for fileSystem in FileSystemKind.allCases {
      let isKnown = [.ext4, .xfs, .btrfs, .tmpfs].contains(fileSystem)
      #expect(fileSystem.isTrustedOnRing == isKnown)
      for isDirect in [false, true] {
        let file = DescriptorTraits(kind: .seekable, fileSystem: fileSystem, isDirect: isDirect)
        let pipe = DescriptorTraits(kind: .pollable, fileSystem: fileSystem)
        for kind in [Request.Kind.read, .write] {
          #expect(RoutingTable.ringCarries(kind, traits: file) == isKnown, "\(kind), \(file)")
          #expect(RoutingTable.ringCarries(kind, traits: pipe))
          if isKnown { continue }
          for length in [1, 4096, 1 << 20, 64 << 20] {
            let routes = [false, true].map { isAlone in
              RoutingTable.route(kind, length: length, traits: file, isAlone: isAlone)
            }
            #expect(routes == [.pool, .pool], "\(kind), \(length), \(file)")
          }
        }
      }
    }
  }

  private static let numbers: [(UInt32, FileSystemKind)] = [
    (0xEF53, .ext4), (0x5846_5342, .xfs), (0x9123_683E, .btrfs), (0x0102_1994, .tmpfs),
    (0x6573_5546, .fuse),
    // An overlay, squashfs, erofs, proc, sysfs, 9p, NFS and CIFS.
    (0x794C_7630, .other), (0x7371_7368, .other), (0xE0F5_E1E2, .other), (0x9FA0, .other),
    (0x6265_6572, .other), (0x0102_1997, .other), (0x6969, .other), (0xFF53_4D42, .other),
  ]

  @Test("File systems are known by their numbers", arguments: numbers)
  func fileSystemsAreKnownByTheirNumbers(magic: UInt32, kind: FileSystemKind) {
    #expect(FileSystemKind(magic: magic) == kind)
  }

  @Test("Pipes stay on the ring")
  func pipesStayOnTheRing() {
    for fileSystem in FileSystemKind.allCases {
      let pipe = DescriptorTraits(kind: .pollable, fileSystem: fileSystem)
      for isAlone in [false, true] {
        #expect(RoutingTable.route(.write, length: 1, traits: pipe, isAlone: isAlone) == .ring)
        #expect(RoutingTable.route(.read, length: 1, traits: pipe, isAlone: isAlone) == .ring)
      }
    }
  }

  @Test("Transfers that may wait after readiness leave the ring, whatever is preferred")
  func exceptions() {
    for kind in [DescriptorTraits.Kind.pollable, .seekable] {
      for fileSystem in FileSystemKind.allCases {
        let traits = DescriptorTraits(
          kind: kind,
          fileSystem: fileSystem,
          blocksWhenReady: true
        )
        for request in [Request.Kind.read, .write] {
          for length in [1, 1 << 20, 4 << 20] {
            let route = RoutingTable.route(request, length: length, traits: traits, isAlone: true)
            #expect(route == .pool)
          }
          #expect(!RoutingTable.ringCarries(request, traits: traits))
        }
      }
    }
  }

  @Test("Some files may wait although they were ready")
  func blockingFiles() throws {
    func blocks(_ descriptor: borrowing OwnedDescriptor) throws -> Bool {
      try DescriptorTraits(of: descriptor.borrowed).blocksWhenReady
    }
    let pipe = try PipeEnds()
    let release = try content(of: "/proc/sys/kernel/osrelease").split(separator: ".")
    let pipeBlocks = release.prefix(2).compactMap { Int($0) }.lexicographicallyPrecedes([6, 4])
    #expect(PipeSupport.hasNonBlockingTransfers == !pipeBlocks)
    #expect(try blocks(pipe.reading) == pipeBlocks && blocks(pipe.writing) == pipeBlocks)
    let socket = try PipeEnds(socketsWithMessages: true)
    #expect(try !blocks(socket.reading))
    let terminal = try PipeEnds(terminal: ())
    #expect(try blocks(terminal.reading) && blocks(terminal.writing))
    let place = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", place("fifo")])
    let fifo = try PipeEnds(fifo: place("fifo"))
    #expect(try blocks(fifo.reading) && blocks(fifo.writing))
    #expect(try blocks(openFile("/dev/zero", .readOnly)))
    #expect(try blocks(openFile("/proc/self/stat", .readOnly)))
    #expect(try !blocks(openFile(place("file"), [.readWrite, .create])))
  }

  @Test("Requests for metadata leave the ring")
  func metadataLeavesTheRing() {
    for fileSystem in FileSystemKind.allCases {
      let traits = DescriptorTraits(kind: .seekable, fileSystem: fileSystem)
      for kind in Request.Kind.allCases where kind != .read && kind != .write {
        let route = RoutingTable.route(kind, length: 0, traits: traits, isAlone: true)
        #expect(route == .pool)
      }
    }
  }

  @Test("The setting decides on the backend before any call")
  func choiceHonoursTheSettingBeforeAnyCall() {
    var probes = 0
    func choice(_ setting: String?, fails error: SystemError? = nil) -> BackendChoice {
      BackendChoice(setting: setting) { () throws(ProbeFailure) in
        probes += 1
        if let error { throw ProbeFailure(step: .setup, error: error) }
      }
    }
    #expect(!choice("threads").usesRing)
    #expect(probes == 0)
    #expect(choice(nil).usesRing)
    #expect(choice("uring").usesRing)
    let forbidden = choice("auto", fails: .notPermitted)
    #expect(!forbidden.usesRing)
    #expect(forbidden.reason.contains("io_uring_setup failed"))
    #expect(forbidden.reason.contains("seccomp"))
    #expect(choice("").usesRing)
    #expect(BackendPreference(setting: nil) == .auto)
    #expect(BackendPreference(setting: "Threads") == nil)
    #expect(BackendPreference(setting: "nonsense") == nil)
  }
}
