import Foundation

/// The name of the calling thread, as the kernel knows it.
public var currentThreadName: String {
  let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
  return String((name ?? "").dropLast())
}
