import IOChannelsSystem

extension BorrowedDescriptor {
  /// Removes a file or an empty directory that this copy created under a name of its own.
  ///
  /// An error is not reported. It may be one of a moment, as of an interrupted call or of a server
  /// without memory, so that the call is made three times at most.
  ///
  /// - Returns: Whether the name existed and was removed.
  @discardableResult
  func removeOwn(_ name: BytePath, isDirectory: Bool = false) -> Bool {
    for _ in 1...3 {
      do throws(SystemError) {
        try isDirectory ? removeDirectory(name) : remove(name)
        return true
      } catch .noSuchFileOrDirectory {
        return false
      } catch {
        // The next attempt follows.
      }
    }
    return false
  }
}
