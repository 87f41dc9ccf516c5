private import Glibc

extension DataBuffer {
  /// A way to free memory that a buffer refers to without a copy.
  ///
  /// It is used exactly once, after the last buffer that refers to a byte of the memory is
  /// released, on the thread that released it.
  @safe
  public enum Deallocator: Sendable {
    /// A call of `free`.
    case free

    /// A call of `munmap`; the memory starts at a page boundary.
    case unmap

    /// No action: the memory outlives every buffer.
    case none

    /// A call of a function with the memory.
    ///
    /// It may run under locks of the code that releases the buffer, so it must neither block nor
    /// wait.
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
  /// Whether the release of the buffer may run the caller's code.
  ///
  /// - Complexity: O(regions)
  package var hasCustomMemory: Bool {
    switch storage {
    case .empty: false
    case .region(let piece): piece.hasCustomMemory
    case .tree: regions.contains { $0.piece.hasCustomMemory }
    }
  }
}
