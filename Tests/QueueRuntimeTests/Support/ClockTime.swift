import Glibc

/// Returns a time of the C library.
///
/// Depending on the order of files, the members of `timespec` belong to a module that cannot be
/// imported, so this names none of them.
func clockTime(seconds: Int, nanoseconds: Int) -> timespec {
  var time = timespec()
  unsafe withUnsafeMutableBytes(of: &time) { bytes in
    unsafe bytes.storeBytes(of: seconds, as: Int.self)
    unsafe bytes.storeBytes(of: nanoseconds, toByteOffset: MemoryLayout<Int>.size, as: Int.self)
  }
  return time
}
