package import IOChannelsSystem

/// The threads of this process that have names of their own, as all threads of the library have.
///
/// The first thread has the name of the program, and so has one that the thread sanitizer makes.
package func namedThreadCount() throws(SystemError) -> Int {
  let program = try firstBytes(of: "/proc/self/comm")
  let tasks = BytePath("/proc/self/task")
  let directory = try BorrowedDescriptor.workingDirectory.open(tasks, .directory)
  var reader = DirectoryReader()
  var entries: [DirectoryEntry] = []
  while try reader.read(directory.borrowed, into: &entries) != nil {}
  return entries.count { entry in
    // One that ends meanwhile counts: it was not gone.
    let task = String(decoding: entry.name.bytes, as: UTF8.self)
    return (try? firstBytes(of: BytePath("/proc/self/task/\(task)/comm"))) != program
  }
}

/// What a small file of the kernel's holds.
private func firstBytes(of path: BytePath) throws(SystemError) -> [UInt8] {
  let file = try BorrowedDescriptor.workingDirectory.open(path, .readOnly)
  var bytes = [UInt8](repeating: 0, count: 64)
  let count = try file.borrowed.read(into: &bytes)
  return Array(bytes[..<count])
}
