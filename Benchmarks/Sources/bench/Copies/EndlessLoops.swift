import Foundation

/// Other load of the machine.
enum EndlessLoops {
  /// Runs a closure while each processor has an endless loop to run as well, if that is requested.
  static func beside<Value>(isActive: Bool, _ body: () throws -> Value) throws -> Value {
    guard isActive else { return try body() }
    var loops: [Process] = []
    defer {
      for loop in loops {
        loop.terminate()
        loop.waitUntilExit()
      }
    }
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
      let loop = Process()
      loop.executableURL = URL(filePath: "/bin/sh")
      loop.arguments = ["-c", "while :; do :; done"]
      try loop.run()
      loops.append(loop)
    }
    return try body()
  }
}
