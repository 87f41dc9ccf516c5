/// Arguments of `sandboxrun` for worlds that many tests need.
public enum Sandbox {
  #if arch(x86_64)
    private static let clone = 56
  #else
    private static let clone = 220
  #endif
  private static let clone3 = 435

  /// Worlds in which a program gets no thread: refused as by a limit, by a filter, and by a filter
  /// that does not know the newer call.
  public static let withoutThreads: [[String]] = [
    ["deny=\(clone3):11", "deny=\(clone):11"],
    ["deny=\(clone3):1", "deny=\(clone):1"],
    ["deny=\(clone3):38", "deny=\(clone):11"],
  ]

  /// A user whom no other process of the machine has, with at most so many threads.
  public static func threads(_ count: Int, user: Int) -> [String] {
    ["uid=\(user)", "nproc=\(count)"]
  }
}
