internal import CIOChannelsTestSupport

/// The calls that take pointers, with faces that do not.
///
/// Sizes here are those of test inputs and outputs; nothing is bounded but by memory.
enum Calls {
  /// Starts a child and returns its id, or the negative error number.
  static func spawn(
    arguments: [String],
    environment: [String],
    directory: String?,
    streams: (input: Int32, output: Int32, errors: Int32)
  ) -> Int32 {
    let argumentBlock = block(arguments)
    let environmentBlock = block(environment)
    let place = directory.map { block([$0]) } ?? []
    return unsafe argumentBlock.withUnsafeBufferPointer { argumentBytes in
      unsafe environmentBlock.withUnsafeBufferPointer { environmentBytes in
        unsafe place.withUnsafeBufferPointer { directoryBytes in
          var child = unsafe ct_child()
          unsafe child.arguments = argumentBytes.baseAddress
          unsafe child.argument_count = arguments.count
          unsafe child.environment = environmentBytes.baseAddress
          unsafe child.environment_count = environment.count
          unsafe child.directory = directory == nil ? nil : directoryBytes.baseAddress
          unsafe child.input = streams.input
          unsafe child.output = streams.output
          unsafe child.errors = streams.errors
          return unsafe ct_spawn(&child)
        }
      }
    }
  }

  /// The whole content of an open file.
  static func content(of descriptor: Int32) -> [UInt8] {
    let length = Int(max(0, ct_length(descriptor)))
    // The library writes the count of its shared empty array, which the thread sanitizer sees.
    if length == 0 { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = unsafe Int(max(0, ct_read_at(descriptor, buffer.baseAddress, length, 0)))
    }
  }

  /// Makes `bytes` the content of an open, empty file.
  static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe ct_write_all_at(descriptor, buffer.baseAddress, buffer.count, 0)
    } == Int64(bytes.count)
  }

  /// The path of the running program.
  static var programPath: String {
    unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        guard let start = text.baseAddress else { return 0 }
        return unsafe Int(max(0, ct_program_path(start, text.count)))
      }
    }
  }

  /// The value of an environment variable.
  static func environmentValue(_ name: String) -> String? {
    var isSet = true
    let value = unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        guard let start = text.baseAddress else { return 0 }
        let length = unsafe Int(ct_environment(name, start, text.count))
        isSet = length >= 0
        return max(0, length)
      }
    }
    return isSet ? value : nil
  }

  /// Listens on a socket with a path; -1 where that fails.
  static func listen(at path: String) -> Int32 {
    unsafe path.withCString { unsafe ct_listen_at($0) }
  }

  /// Strings one behind the other, a zero byte behind each.
  private static func block(_ strings: [String]) -> [CChar] {
    var bytes: [CChar] = []
    for string in strings {
      for byte in string.utf8 {
        bytes.append(CChar(bitPattern: byte))
      }
      bytes.append(0)
    }
    return bytes
  }
}
