import IOChannelsEngine
import IOChannelsSystem

/// The knowledge whether a directory has several spellings of one name.
///
/// It spares the memory of ``DestinationClaims`` on the usual file systems.
enum NameDistinction {
  /// Each name has one spelling.
  case allNames
  /// The examined name has one spelling.
  case oneName
  /// A name may have several spellings.
  case unknown

  /// Examines a directory and the name of the directory `identity` in it.
  init(of directory: BorrowedDescriptor, _ name: BytePath, _ identity: FileIdentity) {
    self = .unknown
    switch FileSystemKind(of: directory) {
    case .btrfs: self = .allNames
    case .ext4, .tmpfs:
      if (try? directory.foldsCase()) == false { self = .allNames }
    case .xfs:
      // It may have been created so that it ignores the case of ASCII letters.
      guard let other = NameDistinction.otherSpelling(of: name) else {
        self = .oneName
        return
      }
      do throws(SystemError) {
        if try directory.status(of: other).identity != identity { self = .allNames }
      } catch {
        if error == .noSuchFileOrDirectory { self = .allNames }
      }
    case .fuse, .other: break
    }
  }

  /// Returns a name with the other case of its ASCII letters; nil if it has none.
  static func otherSpelling(of name: BytePath) -> BytePath? {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let other = BytePath(bytes: name.bytes.map { letters.contains($0 | 0x20) ? $0 ^ 0x20 : $0 })
    return other == name ? nil : other
  }
}
