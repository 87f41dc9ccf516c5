extension DataBuffer: CustomDebugStringConvertible {
  /// The number of bytes, and the sizes of the first regions.
  public var debugDescription: String {
    let shown = 8
    let sizes = regions.prefix(shown).map { "\($0.count)" }
    let rest = regions.count > shown ? ["…"] : []
    let bytes = count == 1 ? "1 byte" : "\(count) bytes"
    switch regions.count {
    case 0: return "DataBuffer(empty)"
    case 1: return "DataBuffer(\(bytes) in 1 region)"
    default:
      let list = (sizes + rest).joined(separator: " + ")
      return "DataBuffer(\(bytes) in \(regions.count) regions: \(list))"
    }
  }
}
