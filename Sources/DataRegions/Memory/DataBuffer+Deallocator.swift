private import Glibc

extension DataBuffer {
  /// The way to give back memory that a buffer was made of without copying.
  ///
  /// It is used exactly once, after the last buffer that shows a byte of the memory is gone, on
  /// the thread that let it go.
  @safe
  public enum Deallocator: Sendable {
    /// Calls `free`.
    case free

    /// Calls `munmap`; the memory starts at a page.
    case unmap

    /// Does nothing: the memory outlives every buffer.
    case none

    /// Calls a function with the memory.
    ///
    /// It may run under locks of whoever drops the buffer, so it must neither block nor wait.
    case custom(@Sendable (UnsafeRawBufferPointer) -> Void)

    func giveBack(_ memory: UnsafeRawBufferPointer) {
      switch self {
      case .free:
        unsafe Glibc.free(UnsafeMutableRawPointer(mutating: memory.baseAddress))
      case .unmap:
        guard let start = memory.baseAddress, memory.count > 0 else { return }
        let answer = unsafe munmap(UnsafeMutableRawPointer(mutating: start), memory.count)
        requireUse(
          answer == 0,
          "Memory that a buffer unmaps was mapped from its first byte on.",
          "S47"
        )
      case .none:
        break
      case .custom(let function):
        unsafe function(memory)
      }
    }
  }
}

extension DataBuffer {
  /// Whether letting go of the buffer may run code of whoever made its memory.
  ///
  /// - Complexity: O(regions)
  package var hasCustomMemory: Bool {
    regions.contains { ($0.piece.owner as? ForeignBytes)?.isCustom ?? false }
  }
}
