import Testing

@testable import EventSources

@Suite("Providers of memory pressure")
struct PressureProvidersTests {
  private func paths(
    watch: String? = nil,
    message: String? = nil,
    groups: String? = nil
  ) -> [String] {
    PressureProviders(watch: watch, message: message, groups: groups).candidates.map {
      "\($0.provider)\($0.message.map { "<\(String(decoding: $0, as: UTF8.self))>" } ?? "")"
    }
  }

  private static let system = "/proc/pressure/memory"

  @Test("The service manager's file comes first, with the decoded message")
  func serviceManager() {
    let watch = "/sys/fs/cgroup/system.slice/a.service/memory.pressure"
    #expect(paths(watch: watch) == [watch, Self.system])
    #expect(paths(watch: watch, message: "") == [watch, Self.system])
    let message = "c29tZSAyMDAwMDAgMjAwMDAwMAA="
    #expect(
      paths(watch: watch, message: message) == ["\(watch)<some 200000 2000000\0>", Self.system]
    )
  }

  @Test("The service manager switches all providers off")
  func switchedOff() {
    #expect(paths(watch: "/dev/null", groups: "0::/a\n") == [])
    #expect(paths(watch: "/dev/null", message: "c29tZQ==") == [])
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
    #expect(paths(watch: watch, message: message) == [Self.system])
  }

  @Test("The own groups of both versions are found, the newer one first")
  func groups() {
    #expect(
      paths(groups: "9:name=systemd:/\n4:cpu,memory:/box/1\n0::/a b/c:d\n") == [
        "/sys/fs/cgroup/a b/c:d/memory.pressure",
        "/sys/fs/cgroup/unified/a b/c:d/memory.pressure",
        Self.system,
        "/sys/fs/cgroup/memory/box/1",
      ]
    )
    #expect(
      paths(groups: "0::/\n") == [
        "/sys/fs/cgroup/memory.pressure", "/sys/fs/cgroup/unified/memory.pressure", Self.system,
      ]
    )
    #expect(paths(groups: "4:memory:/\n") == [Self.system, "/sys/fs/cgroup/memory"])
  }

  @Test(
    "Groups outside of the visible tree and other texts give no path",
    arguments: ["", "\n\n", "0::/../outside\n", "0::\n", "0::a\n", "1:memory", "::", "0:x:/a\n"]
  )
  func foreignGroups(text: String) {
    #expect(paths(groups: text) == [Self.system])
  }

  @Test("A group of version 1 outside of the visible tree is passed over")
  func foreignLegacyGroup() {
    #expect(paths(groups: "4:memory:/../../etc\n") == [Self.system])
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
