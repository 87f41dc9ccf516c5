/// Returns a message as the kernel sends it.
func connectorEvent(
  _ kind: UInt32,
  _ details: [Int32],
  request: UInt32 = 0,
  connector: [UInt32] = [1, 1],
  type: UInt32 = 3
) -> [UInt8] {
  let numbers = details.map(UInt32.init(bitPattern:)) + Array(repeating: 0, count: 6)
  let header: [UInt32] = [76, type, 0, 0]
  let middle: [UInt32] = connector + [9, request &+ 1, 40]
  let words = header + middle + [kind, 1, 2, 3] + numbers.prefix(6)
  return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
}
