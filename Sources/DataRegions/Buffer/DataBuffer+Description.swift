extension DataBuffer: CustomDebugStringConvertible {
  /// The number of bytes, and the sizes of the first regions with the kinds of their memory.
  ///
  /// A region that refers to a part of its memory is described as `10 of 4096 pooled`. At most 8
  /// regions are listed.
  public var debugDescription: String {
    let shown = 8
    let bytes = Self.counted(count, "byte")
    if isEmpty { return "DataBuffer(empty)" }
    let first = regions.prefix(shown).map(\.memoryDescription)
    let rest = regions.count > shown ? ["…"] : []
    let list = (first + rest).joined(separator: " + ")
    return "DataBuffer(\(bytes) in \(Self.counted(regions.count, "region")): \(list))"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

extension DataBuffer.Region {
  /// The shown size, the size of the memory, and its kind.
  fileprivate var memoryDescription: String {
    let keeper = piece.keeper
    let share = count == keeper.capacity ? "\(count)" : "\(count) of \(keeper.capacity)"
    return "\(share) \(keeper.kind)"
  }
}

extension DataBuffer.Deallocator {
  /// The name of the case.
  var name: String {
    switch self {
    case .free: "free"
    case .unmap: "unmap"
    case .none: "none"
    case .custom: "custom"
    }
  }
}
