import Testing

@testable import EventSources

@Suite("Providers of memory pressure")
struct PressureProvidersTests {
  private typealias Candidate = PressureProviders.Candidate

  private func candidates(
    watch: String? = nil,
    message: String? = nil,
    groups: String? = nil
  ) -> [Candidate] {
    PressureProviders(watch: watch, message: message, groups: groups).candidates
  }

  private static let system = Candidate(provider: .system)

  private static func service(_ path: String, _ message: String? = nil) -> Candidate {
    Candidate(provider: .serviceManager(path: path), message: message.map { Array($0.utf8) })
  }

  private static func group(_ path: String) -> Candidate {
    Candidate(provider: .controlGroup(path: path))
  }

  private static func legacyGroup(_ path: String) -> Candidate {
    Candidate(provider: .legacyControlGroup(path: path))
  }

  @Test("The service manager's file comes first, with the decoded message")
  func serviceManager() {
    let watch = "/sys/fs/cgroup/system.slice/a.service/memory.pressure"
    #expect(candidates(watch: watch) == [Self.service(watch), Self.system])
    #expect(candidates(watch: watch, message: "") == [Self.service(watch), Self.system])
    let message = "c29tZSAyMDAwMDAgMjAwMDAwMAA="
    let decoded = Self.service(watch, "some 200000 2000000\0")
    #expect(candidates(watch: watch, message: message) == [decoded, Self.system])
  }

  @Test("The service manager switches all providers off")
  func switchedOff() {
    #expect(candidates(watch: "/dev/null", groups: "0::/a\n") == [])
    #expect(candidates(watch: "/dev/null", message: "c29tZQ==") == [])
  }

  @Test(
    "Values that the service manager does not write are passed over",
    arguments: [
      ("", nil), ("memory.pressure", nil), ("./a", nil), ("/a/../b", nil), ("/..", nil),
      ("/a\0b", nil), (" /a", nil), ("/a", "c29tZ"), ("/a", "c29t*A=="), ("/a", "====="),
      ("/a", "c29tZQ==\n"), ("/a", "é"),
    ] as [(String, String?)]
  )
  func foreignValues(watch: String, message: String?) {
    #expect(candidates(watch: watch, message: message) == [Self.system])
  }

  @Test("The own groups of both versions are found, the newer one first")
  func groups() {
    #expect(
      candidates(groups: "9:name=systemd:/\n4:cpu,memory:/box/1\n0::/a b/c:d\n") == [
        Self.group("/sys/fs/cgroup/a b/c:d/memory.pressure"),
        Self.group("/sys/fs/cgroup/unified/a b/c:d/memory.pressure"),
        Self.system,
        Self.legacyGroup("/sys/fs/cgroup/memory/box/1"),
      ]
    )
    #expect(
      candidates(groups: "0::/\n") == [
        Self.group("/sys/fs/cgroup/memory.pressure"),
        Self.group("/sys/fs/cgroup/unified/memory.pressure"), Self.system,
      ]
    )
    #expect(
      candidates(groups: "4:memory:/\n") == [
        Self.system, Self.legacyGroup("/sys/fs/cgroup/memory"),
      ]
    )
  }

  @Test(
    "Groups outside of the visible tree and other texts give no path",
    arguments: ["", "\n\n", "0::/../outside\n", "0::\n", "0::a\n", "1:memory", "::", "0:x:/a\n"]
  )
  func foreignGroups(text: String) {
    #expect(candidates(groups: text) == [Self.system])
  }

  @Test("A group of version 1 outside of the visible tree is passed over")
  func foreignLegacyGroup() {
    #expect(candidates(groups: "4:memory:/../../etc\n") == [Self.system])
  }

  @Test(
    "Base64 text gives its bytes",
    arguments: [
      ("", []), ("AA==", [0]), ("AAA=", [0, 0]), ("AAAA", [0, 0, 0]), ("/+8=", [0xff, 0xef]),
      ("Zm9vYmE=", Array("fooba".utf8)), ("Zm9vYmFy", Array("foobar".utf8)),
    ] as [(String, [UInt8])]
  )
  func base64(text: String, bytes: [UInt8]) {
    #expect(Base64.decoding(text) == bytes)
  }

  @Test(
    "Text that is not base64 is refused",
    arguments: ["A", "AA", "AAA", "A===", "AA=A", "=AAA"]
  )
  func foreignText(text: String) {
    #expect(Base64.decoding(text) == nil)
  }
}
