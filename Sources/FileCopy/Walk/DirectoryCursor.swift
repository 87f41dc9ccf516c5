import IOChannelsSystem

/// An open directory of a tree, which moves to other directories by single components.
///
/// No component is a symbolic link, so that a swapped name leads nowhere else. One thread uses it.
final class DirectoryCursor {
  private let root: BorrowedDescriptor
  private var path: BytePath = ""
  private var current: OwnedDescriptor?

  init(at root: BorrowedDescriptor) {
    self.root = root
  }

  /// Opens a directory by its path below the root, which has no dots.
  ///
  /// - Returns: The directory, which is valid until the next move.
  func move(to next: BytePath) throws(SystemError) -> BorrowedDescriptor {
    if next.isEmpty { return root }
    if next == path, let open = current?.borrowed { return open }
    let slash = UInt8(ascii: "/")
    var rest = next.bytes
    var start: OwnedDescriptor?
    if !path.isEmpty && rest.starts(with: path.bytes + [slash]) {
      start = current.take()
      if start != nil { rest = rest.dropFirst(path.bytes.count + 1) }
    }
    // After an error no directory is open.
    path = ""
    current = nil
    for part in rest.split(separator: slash) {
      let above = start?.borrowed ?? root
      start = try above.openDirectory(BytePath(bytes: part))
    }
    current = start.take()
    path = next
    return current?.borrowed ?? root
  }
}
