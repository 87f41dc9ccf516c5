// Awaits everything that has a blocking form too, in top-level code: S170.
//
// Top-level code runs on the main actor. What ends each wait is work of the main actor as well, so
// a wait that blocked the thread would never end.

import FileCopy
import IOChannels

let group = WorkGroup()
group.enter()
Task { group.leave() }
try await group.completion()
print("group")

let permits = CountingSemaphore(value: 0)
Task { permits.signal() }
try await permits.acquire()
permits.signal()
print("permits")

let item = WorkItem {}
Task { item.perform() }
try await item.completion()
print("item")

do throws(CopyFailure) {
  try await FileCopier().copy(from: "/nowhere/source", to: "/nowhere/copy")
  print("nothing was thrown")
} catch {
  print("copy of one: \(error.report.failures.count)")
}
do throws(CopyFailure) {
  try await FileCopier().copy(from: ["/nowhere/source"], to: "/nowhere/copy")
  print("nothing was thrown")
} catch {
  print("copy of several: \(error.report.failures.count)")
}
