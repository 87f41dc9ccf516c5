private import CIOChannelsSystem

/// The environment of the process.
package enum Environment {
  /// Returns the first 4096 bytes of a variable's value, nil if it is not set.
  package static func value(of name: String) -> String? {
    unsafe value(of: name, csys_environment)
  }

  /// Returns the value of a variable, nil also in a program with more rights than its user.
  package static func secureValue(of name: String) -> String? {
    unsafe value(of: name, csys_secure_environment)
  }

  private static func value(
    of name: String,
    _ copy: (UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int) -> Int64
  ) -> String? {
    var length: Int64 = -1
    let text = unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let base = characters.baseAddress else { return 0 }
        unsafe length = copy(name, base, characters.count)
        return Int(min(max(length, 0), Int64(characters.count)))
      }
    }
    return length < 0 ? nil : text
  }
}
