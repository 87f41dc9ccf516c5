import IOChannelsSystem
import Testing

@testable import FileCopy

/// Which attributes are copied, what a list of rights says, and how times are stored.
@Suite("Attributes of files")
struct AttributeRulesTests {
  @Test("The system's list names what is not copied, with stars and question marks")
  func rules() {
    let text = """
      # a comment
      user.skip\t\tskip
      user.Beagle.*   skip  # indexed
      user.?x  permissions
      *.mac* skip
      broken
      """
    let rules = AttributeRules(text: text.utf8)
    let all = PreservedAttributes.all
    for name: BytePath in [
      "user.skip", "user.Beagle.", "user.Beagle.a.b", "user.ax", "trusted.SGI.mac.x", "a.mac",
      "system.posix_acl_access", "system.posix_acl_default",
    ] {
      #expect(!rules.copies(name, all), "\(name)")
    }
    for name: BytePath in ["user.skip2", "user.Beagle", "user.aax", "user.x", "broken", "mac", ""] {
      #expect(rules.copies(name, all), "\(name)")
    }
  }

  @Test("The label is an attribute of its own")
  func label() {
    let rules = AttributeRules(text: [])
    #expect(rules.copies("security.selinux", .securityContext))
    #expect(!rules.copies("security.selinux", .extendedAttributes))
    #expect(!rules.copies("user.a", .securityContext))
    #expect(rules.copies("security.capability", .extendedAttributes))
  }

  private func list(_ entries: (UInt8, UInt8)...) -> AccessList {
    AccessList(bytes: [2, 0, 0, 0] + entries.flatMap { [$0.0, 0, $0.1, 0, 255, 255, 255, 255] })
  }

  @Test("Without its list a file gives no user more rights than with it (T44)")
  func lists() {
    let masked = list((1, 6), (2, 7), (4, 5), (16, 6), (32, 1))
    #expect(masked.shownPermissions == 0o661)
    #expect(masked.plainPermissions == 0o641)
    let plain = list((1, 7), (4, 5), (32, 0))
    #expect(plain.shownPermissions == 0o750)
    #expect(plain.plainPermissions == 0o750)
    #expect(AccessList(bytes: [2, 0]).plainPermissions == 0)
  }

  @Test("Times are cut as the file system cuts them (T9)")
  func times() {
    func time(_ seconds: Int64, _ nanoseconds: UInt32) -> FileTime {
      FileTime(seconds: seconds, nanoseconds: nanoseconds)
    }
    #expect(time(7, 123_456_789).stored(inStepsOf: 1) == time(7, 123_456_789))
    #expect(time(7, 123_456_789).stored(inStepsOf: 100) == time(7, 123_456_700))
    #expect(time(7, 123_456_789).stored(inStepsOf: 1_000_000_000) == time(7, 0))
    #expect(time(7, 5).stored(inStepsOf: 2_000_000_000) == time(6, 0))
    #expect(time(-7, 5).stored(inStepsOf: 2_000_000_000) == time(-8, 0))
    for step: Int64 in [1, 100, 1000, 1_000_000, 10_000_000, 1_000_000_000, 2_000_000_000] {
      #expect(FileTime.probe.stored(inStepsOf: step).stepOfProbe == step)
    }
    #expect(time(0, 0).stepOfProbe == nil)
    #expect(time(1_000_000_002, 0).stepOfProbe == nil)
  }

  @Test("Only blocks with something in them are written (T26)")
  func blocks() {
    var bytes = [UInt8](repeating: 0, count: 20000)
    func next(_ range: Range<Int>) -> Range<Int>? { FilePair.nonZero(bytes.span, range) }
    #expect(next(0..<20000) == nil)
    bytes[5000] = 1
    #expect(next(0..<20000) == 4096..<8192)
    #expect(next(8192..<20000) == nil)
    bytes[19999] = 1
    #expect(next(8192..<20000) == 16384..<20000)
    bytes[8192] = 1
    #expect(next(0..<20000) == 4096..<12288)
  }
}
