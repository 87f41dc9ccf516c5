/// Bytes that differ from offset to offset, so that a wrong place shows.
public func pattern(_ count: Int, from start: Int = 0) -> [UInt8] {
  (start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8 ^ $0 >> 16) }
}
