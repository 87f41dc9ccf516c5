// Reads many files side by side and never has more than a few of them open.

import Glibc
import QueueRuntime
import Synchronization

let descriptors = CountingSemaphore(value: 4)
let readers = WorkQueue(label: "readers", attributes: .concurrent)
let files = WorkGroup()
let openNow = Atomic<Int>(0)
let mostOpen = Atomic<Int>(0)

func readFile(_ path: String) {
  let number = Glibc.open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { return }
  let file = OwnedDescriptor(owning: number)
  let (_, count) = openNow.add(1, ordering: .relaxed)
  mostOpen.max(count, ordering: .relaxed)
  var bytes: [UInt8] = Array(repeating: 0, count: 4096)
  var span = bytes.mutableSpan
  var rawSpan = span.mutableBytes
  _ = try? file.borrowed.read(into: &rawSpan)
  openNow.subtract(1, ordering: .relaxed)
}

// The loop waits, not the closures: no thread is asleep with a file that it may not open yet.
for _ in 0..<100 {
  descriptors.wait()
  readers.async(group: files) {
    readFile("/proc/self/stat")
    descriptors.signal()
  }
}
files.wait()
print("never more than 4 open:", mostOpen.load(ordering: .relaxed) <= 4)

// snippet.hide
// never more than 4 open: true
