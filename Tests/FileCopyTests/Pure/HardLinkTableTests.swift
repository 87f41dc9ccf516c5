import IOChannelsSystem
import Testing

@testable import FileCopy

/// The first name is copied, the others wait for it.
@Suite("Table of hard links")
struct HardLinkTableTests {
  private let file = FileIdentity(device: 1, inode: 2)

  private func word(_ claim: HardLinkTable<String>.Claim) -> String {
    switch claim {
    case .copy: "copy"
    case .wait: "wait"
    case .link(let first): "link to \(first)"
    case .copyAlone: "alone"
    }
  }

  @Test("Names are copied, wait and are linked in turn, and the entry dies with the last (T33)")
  func turn() {
    var table = HardLinkTable<String>()
    #expect(word(table.claim(file, links: 3, by: "a")) == "copy")
    #expect(word(table.claim(file, links: 3, by: "b")) == "wait")
    #expect(table.copied(file, as: "a") == ["b"])
    #expect(table.count == 1)
    #expect(word(table.claim(file, links: 3, by: "c")) == "link to a")
    #expect(table.count == 0)
  }

  @Test("When all names waited the entry dies with the copy")
  func allWaited() {
    var table = HardLinkTable<String>()
    _ = table.claim(file, links: 2, by: "a")
    _ = table.claim(file, links: 2, by: "b")
    #expect(table.copied(file, as: "a") == ["b"])
    #expect(table.count == 0)
  }

  @Test("After a failure the next name that waits is copied")
  func failure() {
    var table = HardLinkTable<String>()
    for name in ["a", "b", "c"] { _ = table.claim(file, links: 3, by: name) }
    #expect(table.failed(file) == "b")
    #expect(table.copied(file, as: "b") == ["c"])
    #expect(table.count == 0)
  }

  @Test("After a failure without waiting names the entry is gone")
  func failureAlone() {
    var table = HardLinkTable<String>()
    _ = table.claim(file, links: 2, by: "a")
    #expect(table.failed(file) == nil)
    #expect(table.count == 0)
    #expect(word(table.claim(file, links: 2, by: "b")) == "copy")
  }

  @Test("A name that could not be linked begins a new chain")
  func newChain() {
    var table = HardLinkTable<String>()
    _ = table.claim(file, links: 4, by: "a")
    _ = table.copied(file, as: "a")
    #expect(word(table.claim(file, links: 4, by: "b")) == "link to a")
    #expect(table.copied(file, as: "b") == [])
    #expect(word(table.claim(file, links: 4, by: "c")) == "link to b")
  }

  @Test("A full table turns further files into copies")
  func bound() {
    var table = HardLinkTable<String>(limit: 1)
    _ = table.claim(file, links: 2, by: "a")
    let other = FileIdentity(device: 1, inode: 3)
    #expect(word(table.claim(other, links: 2, by: "x")) == "alone")
    #expect(word(table.claim(file, links: 2, by: "b")) == "wait")
  }

  @Test("Names that are found again are linked, and complete entries stay in bounds (T33)")
  func namesAgain() {
    var table = HardLinkTable<String>(limit: 8)
    table.mayFindNamesAgain = true
    _ = table.claim(file, links: 2, by: "a")
    _ = table.copied(file, as: "a")
    for name in ["b", "a again", "b again"] {
      #expect(word(table.claim(file, links: 2, by: name)) == "link to a")
    }
    for inode in 3..<100 as Range<UInt64> {
      let other = FileIdentity(device: 1, inode: inode)
      #expect(word(table.claim(other, links: 2, by: "x")) == "copy")
      #expect(word(table.claim(other, links: 2, by: "y")) == "wait")
      #expect(table.copied(other, as: "x") == ["y"])
      #expect(table.count <= 3)
    }
  }

  @Test("Two files with one number on two file systems are two files")
  func devices() {
    var table = HardLinkTable<String>()
    _ = table.claim(file, links: 2, by: "a")
    let other = FileIdentity(device: 2, inode: 2)
    #expect(word(table.claim(other, links: 2, by: "x")) == "copy")
  }
}
