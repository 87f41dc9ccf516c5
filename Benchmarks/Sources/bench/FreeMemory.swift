import Foundation

/// Memory that nothing uses.
enum FreeMemory {
  /// Uses so much of it once.
  ///
  /// The host of a virtual machine takes back what stays free, and gives it again at the first
  /// touch, which takes several times as long as the copy of a page. What is measured next finds
  /// memory that it does not have to ask for, whichever side it is.
  static func touch(megabytes: Int) throws {
    let size = megabytes << 20
    // As much as is left free by all the rest does not help, and more would take it from others.
    guard size > 0, size < (sysconf(Int32(_SC_AVPHYS_PAGES)) / 4) * sysconf(Int32(_SC_PAGESIZE))
    else { return }
    // Copies take pages of all sizes, and the system keeps those of each size apart.
    let (large, small) = (try map(size), try map(size))
    madvise(large, size, MADV_HUGEPAGE)
    for memory in [large, small] {
      for page in stride(from: 0, to: size, by: 4096) {
        memory.storeBytes(of: 1, toByteOffset: page, as: UInt8.self)
      }
    }
    munmap(large, size)
    munmap(small, size)
  }

  private static func map(_ size: Int) throws -> UnsafeMutableRawPointer {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED
    else { throw CommandFailure(description: "\(size) bytes of memory: error \(errno)") }
    return memory
  }

  /// Uses as much as a copy of a tree or file takes: its pages, those of an image in memory, and
  /// some.
  static func touch(forCopyOf source: String) throws {
    let size = try output("du", "-sm", source).split(separator: "\t").first.flatMap { Int($0) }
    try touch(megabytes: 3 * (size ?? 0))
  }
}
