import Foundation

/// Memory that nothing uses.
enum FreeMemory {
  /// Uses as much of it as a copy of a tree or file will, in the directory where that will be: its
  /// pages, and those of an image in memory.
  ///
  /// The host of a virtual machine takes back what stays free, and gives it again at the first
  /// touch, which takes many times as long as the copy of a page. What is measured next finds
  /// memory that nobody has to ask for, whichever side it is. Programs write in pieces of their own
  /// size, and the system keeps free memory in pieces of each size apart, so all are used here.
  static func touch(forCopyOf source: String, in directory: String) throws {
    let size = try output("du", "-sm", source).split(separator: "\t").first.flatMap { Int($0) }
    let megabytes = 2 * (size ?? 0)
    // Where it does not fit three times, the copy is measured as it comes.
    guard 3 * megabytes < sysconf(Int32(_SC_AVPHYS_PAGES)) / 256 / 2 else { return }
    let files = [1 << 20, 64 << 10, 4 << 10].map { (piece: $0, path: "\(directory)/touched\($0)") }
    defer { try? run(["rm", "-f"] + files.map(\.path)) }
    for (piece, path) in files {
      let count = (megabytes << 20) / piece
      // What has no room stays untouched.
      _ = try? run("dd", "if=/dev/zero", "of=\(path)", "bs=\(piece)", "count=\(count)")
    }
  }
}
