import SystemCalls
import Testing

@testable import RequestEngine

@Suite struct RoutingTests {
  @Test func readsAndLargeWritesOfDiskFileSystemsStayOnTheRing() {
    for fileSystem in [FileSystemKind.ext4, .xfs, .btrfs] {
      let traits = DescriptorTraits(kind: .seekable, fileSystem: fileSystem)
      #expect(RoutingTable.route(.read, length: 1, traits: traits) == .ring)
      #expect(RoutingTable.route(.write, length: 1 << 20, traits: traits) == .ring)
      #expect(RoutingTable.route(.write, length: 1 << 20 - 1, traits: traits) == .pool)
    }
  }

  @Test func directTransfersStayOnTheRingWhereTheyRunThere() {
    for (fileSystem, route) in [(FileSystemKind.ext4, Route.ring), (.xfs, .ring), (.btrfs, .pool)] {
      let traits = DescriptorTraits(kind: .seekable, fileSystem: fileSystem, isDirect: true)
      #expect(RoutingTable.route(.write, length: 4096, traits: traits) == route)
      #expect(RoutingTable.route(.read, length: 4096, traits: traits) == route)
    }
  }

  @Test func pipesStayOnTheRingAndMemoryFilesLeaveIt() {
    let pipe = DescriptorTraits(kind: .pollable, fileSystem: .other)
    #expect(RoutingTable.route(.write, length: 1, traits: pipe) == .ring)
    let memory = DescriptorTraits(kind: .seekable, fileSystem: .tmpfs)
    #expect(RoutingTable.route(.read, length: 1 << 20, traits: memory) == .pool)
  }

  @Test func whatOnlyWaitsStaysOnTheRingAndMetadataLeavesIt() {
    for fileSystem in FileSystemKind.allCases {
      let traits = DescriptorTraits(kind: .seekable, fileSystem: fileSystem)
      for kind in Request.Kind.allCases where kind != .read && kind != .write {
        let isWait = kind == .poll || kind == .timeout
        let route = RoutingTable.route(kind, length: 0, traits: traits)
        #expect(route == (isWait ? .ring : .pool))
      }
    }
  }

  @Test func choiceHonoursTheSettingBeforeAnyCall() {
    var probes = 0
    func choice(_ setting: String?, fails error: Errno? = nil) -> BackendChoice {
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
    #expect(choice("nonsense").reason.contains("unknown value"))
  }
}
