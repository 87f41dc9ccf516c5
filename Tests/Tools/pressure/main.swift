// Prints the changes of memory pressure that a source reports.
//
//   pressure open            prints the provider, or the error of the creation
//   pressure levels COUNT    prints `reg` and each change; ends after COUNT changes
//   pressure load FILE       the same while reading FILE all over; the reading ends with the first
//                            change, the program with the normal level

import EventSources
import Glibc
import Synchronization
import IOChannelsSystem

/// Prints a line at once.
func report(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = try? BorrowedDescriptor(rawValue: 1).write(bytes, 0..<bytes.count)
}

let arguments = CommandLine.arguments
let command = arguments.count > 1 ? arguments[1] : "open"
let source: MemoryPressureSource
do throws(SystemError) {
  source = try EventSource.makeMemoryPressureSource(eventMask: .all, queue: .main)
} catch {
  report("error \(error.rawValue)")
  exit(0)
}
report("provider \(source.provider)")
if command == "open" { exit(0) }

let isLoading = Atomic(command == "load")
let changes = Atomic(0)
let limit = command == "levels" ? Int(arguments[2]) ?? 1 : .max
source.setRegistrationHandler { report("reg") }
source.setEventHandler { [unowned source] in
  var names: [String] = []
  if source.data.contains(.normal) { names.append("normal") }
  if source.data.contains(.warning) { names.append("warning") }
  if source.data.contains(.critical) { names.append("critical") }
  report(names.joined(separator: "|"))
  isLoading.store(false, ordering: .relaxed)
  let count = changes.add(1, ordering: .relaxed).newValue
  if count >= limit || command == "load" && source.level == .normal { exit(0) }
}
source.activate()

if command == "load" {
  let file = try BorrowedDescriptor.workingDirectory.open(BytePath(arguments[2]), .readOnly)
  let size = try file.borrowed.status().size
  let number = file.release()
  WorkQueue.global().async {
    var bytes = [UInt8](repeating: 0, count: 1 << 12)
    while isLoading.load(ordering: .relaxed) {
      let offset = Int64.random(in: 0..<size)
      _ = try? BorrowedDescriptor(rawValue: number).read(into: &bytes, at: offset)
    }
  }
}
WorkQueue.runMain()
