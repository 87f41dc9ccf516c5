/// A request to the kernel's connector.
enum ConnectorRequest: UInt32 {
  case startEvents = 1
  case stopEvents = 2

  /// Returns the message of a request.
  ///
  /// - Parameter number: The number by which the kernel's answer is found.
  /// - Returns: The bytes of the message, headers included.
  func bytes(number: UInt32) -> [UInt8] {
    let header: [UInt32] = [40, 3, 0, 0]
    let connector: [UInt32] = [1, 1, 0, number, 4]
    return (header + connector + [rawValue]).flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
  }
}
