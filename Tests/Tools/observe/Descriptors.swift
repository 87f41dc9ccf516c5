import EventSources
import IOChannelsSystem
import IOChannelsTestSupport

/// Creates and ends 1,000 sources and 100 tasks in all ways; no descriptor may stay open.
func countDescriptors() throws {
  let child = try ChildProcess(["sleep", "1000"])
  // The first source and task open what all of them share.
  let first = Ending()
  try end(0, of: child.identifier, first)
  first.wait(for: 1)
  cancelTasks(1, of: child.identifier)
  let before = try settledDescriptorCount()

  let all = Ending()
  for way in 0..<1000 { try end(way, of: child.identifier, all) }
  all.wait(for: 750)
  cancelTasks(100, of: child.identifier)

  let after = try settledDescriptorCount()
  child.send(signal: 9)
  _ = try child.wait()
  print("before \(before) after \(after)")
}

/// Cancels tasks that wait for a process, and waits for their errors.
private func cancelTasks(_ count: Int, of process: Int32) {
  let canceled = Ending()
  for _ in 0..<count {
    let task = Task.detached { () async -> SystemError? in
      do throws(SystemError) {
        _ = try await ProcessSource.waitForExit(of: process)
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    Task.detached { if await task.value == .canceled { canceled.add() } }
  }
  canceled.wait(for: count)
}

/// The sources or tasks that have ended.
private final class Ending: Sendable {
  private let signals = CountingSemaphore(value: 0)

  func add() { signals.signal() }

  func wait(for count: Int) {
    for _ in 0..<count { signals.wait() }
  }
}

/// Ends a source in one of four ways, three of which run the cancel handler.
private func end(_ way: Int, of process: Int32, _ ending: Ending) throws {
  let identifier = way % 4 == 3 ? Int32.max : process
  let source = try source(of: identifier)
  source.setCancelHandler { ending.add() }
  switch way % 4 {
  case 1:
    source.cancel()
    source.activate()
  case 2:
    source.activate()
  default:
    source.activate()
    source.cancel()
  }
}

/// Creates a source that also reports forks, where the system can.
private func source(of process: Int32) throws -> ProcessSource {
  do throws(SystemError) {
    return try EventSource.makeProcessSource(identifier: process, eventMask: [.exit, .fork])
  } catch {
    return try EventSource.makeProcessSource(identifier: process, eventMask: .exit)
  }
}

/// Returns the number of open descriptors once it has not changed for a while.
///
/// A source that is dropped closes its descriptor on its queue.
private func settledDescriptorCount() throws -> Int {
  var count = try descriptorCount()
  var looks = 0
  while looks < 50 {
    _ = CountingSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
    let next = try descriptorCount()
    looks = next == count ? looks + 1 : 0
    count = next
  }
  return count
}

private func descriptorCount() throws -> Int {
  let directory = try BorrowedDescriptor.workingDirectory.open("/proc/self/fd", .directory)
  var reader = DirectoryReader()
  var entries: [DirectoryEntry] = []
  while try reader.read(directory.borrowed, into: &entries) != nil {}
  return entries.count
}
