import EventSources
import IOChannelsSystem
import IOChannelsTestSupport
import Synchronization

/// Receives 100 bytes one by one, and merges 100 numbers, where threads may be refused.
///
/// The descriptor is first: its thread then gets the only one that a user may have.
func deliverWithoutThreads() throws {
  try receiveBytes()
  try mergeNumbers()
}

private func receiveBytes() throws {
  let received = CountingSemaphore(value: 0)
  let ended = CountingSemaphore(value: 0)
  let cancelled = CountingSemaphore(value: 0)
  let (reading, writing) = try PipeEnds().handedOut()
  let source = EventSource.makeReadSource(
    fileDescriptor: reading,
    queue: WorkQueue(label: "bytes")
  )
  source.setEventHandler { [unowned source] in
    if source.data == 0 {
      ended.signal()
      return
    }
    var bytes: [UInt8] = [0]
    if (try? BorrowedDescriptor(rawValue: reading).read(into: &bytes)) == 1 { received.signal() }
  }
  source.setCancelHandler { cancelled.signal() }
  source.activate()
  let writer = OwnedDescriptor(owning: writing)
  if let error = source.registrationError {
    print("refused \(error.rawValue)")
  } else {
    for _ in 0..<100 {
      _ = try writer.borrowed.write([7], 0..<1)
      try wait(for: received, "a byte")
    }
    print("received 100")
    try writer.close()
    try wait(for: ended, "the end")
    print("ended")
  }
  source.cancel()
  try wait(for: cancelled, "the cancel handler")
  print("cancelled")
}

private func mergeNumbers() throws {
  let sum = Atomic<UInt>(0)
  let isComplete = CountingSemaphore(value: 0)
  let source = EventSource.makeUserDataAddSource(queue: WorkQueue(label: "numbers"))
  source.setEventHandler { [unowned source] in
    if sum.add(source.data, ordering: .relaxed).newValue == 5050 { isComplete.signal() }
  }
  source.activate()
  for number in 1...100 { source.add(data: UInt(number)) }
  try wait(for: isComplete, "the sum")
  source.cancel()
  print("merged 5050")
}

/// Waits for a call of a handler, at most 10 seconds.
func wait(for semaphore: CountingSemaphore, _ event: String) throws {
  if semaphore.wait(timeout: .now() + .seconds(10)) == .timedOut {
    throw TestFailure("no handler call for \(event)")
  }
}
