import IOChannelsSystem
import Testing

@testable import FileCopy

/// The destinations of directories that are copied at the same time, without a file system.
@Suite("Destinations of directories")
struct DestinationClaimsTests {
  private final class Place {}

  @Test("Two directories with one destination are found in their parent, and nowhere else (T58)")
  func shared() {
    let (one, other) = (Place(), Place())
    let (first, second) = (ObjectIdentifier(one), ObjectIdentifier(other))
    var claims = DestinationClaims()
    claims.claim(FileIdentity(device: 1, inode: 2), in: first)
    claims.claim(FileIdentity(device: 1, inode: 3), in: first)
    claims.claim(FileIdentity(device: 1, inode: 2), in: second)
    #expect(!claims.isShared(in: first) && !claims.isShared(in: second))
    claims.claim(FileIdentity(device: 1, inode: 3), in: first)
    #expect(claims.isShared(in: first) && !claims.isShared(in: second))
    claims.forget(in: first)
    #expect(!claims.isShared(in: first))
    claims.claim(FileIdentity(device: 1, inode: 3), in: first)
    #expect(!claims.isShared(in: first))
    withExtendedLifetime((one, other)) {}
  }

  @Test("A directory on the path of an operand is no directory of another one (T58)")
  func passages() {
    var claims = DestinationClaims()
    let (one, other) = (FileIdentity(device: 1, inode: 2), FileIdentity(device: 2, inode: 2))
    #expect(!claims.isPassage(one))
    claims.claim(passage: one)
    claims.claim(passage: one)
    #expect(claims.isPassage(one) && !claims.isPassage(other))
  }

  @Test("The other spelling of a name has the other case of its ASCII letters alone (T58)")
  func spellings() {
    #expect(NameDistinction.otherSpelling(of: "README.txt") == "readme.TXT")
    #expect(NameDistinction.otherSpelling(of: "@[`{azAZ") == "@[`{AZaz")
    for name: BytePath in ["", "12.3-4_", "@[`{", "\u{e4}\u{1f600}"] {
      #expect(NameDistinction.otherSpelling(of: name) == nil)
    }
  }
}
