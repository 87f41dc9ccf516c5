// Follows a file that other programs rename.

import EventSources
import Glibc

/// Calls a closure with the new path of a file each time the file is renamed.
func watchName(
  of path: String,
  queue: WorkQueue,
  renamed: @escaping @Sendable (String) -> Void
) -> FileSystemSource? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  let source = EventSource.makeFileSystemObjectSource(
    fileDescriptor: file,
    eventMask: .rename,
    queue: queue
  )
  source.setEventHandler {
    if let path = realpath("/proc/self/fd/\(file)", nil) {
      renamed(String(cString: path))
      free(path)
    }
  }
  source.setCancelHandler { close(file) }
  source.activate()
  return source
}

// snippet.hide
let old = "\(CommandLine.arguments[0]).old"
let new = "\(CommandLine.arguments[0]).new"
close(open(old, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
let end = CountingSemaphore(value: 0)
let source = watchName(of: old, queue: WorkQueue(label: "names")) { path in
  print("renamed to the new name:", path.hasSuffix(".new"))
  end.signal()
}
let registered = CountingSemaphore(value: 0)
source?.setRegistrationHandler { registered.signal() }
registered.wait()
rename(old, new)
end.wait()
source?.cancel()
unlink(new)
// renamed to the new name: true
