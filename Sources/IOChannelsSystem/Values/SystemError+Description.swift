private import CIOChannelsSystem

extension SystemError: CustomStringConvertible {
  /// The text of the C library for the error, in the C locale (English).
  public var description: String {
    let text = unsafe String(unsafeUninitializedCapacity: 128) { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let base = characters.baseAddress else { return 0 }
        return unsafe csys_error_text(rawValue, base, characters.count)
      }
    }
    return text.isEmpty ? "Unknown error \(rawValue)" : text
  }
}
