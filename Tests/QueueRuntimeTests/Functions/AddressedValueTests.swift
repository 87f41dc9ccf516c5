import QueueRuntime
import Testing

@Suite("Values and labels of queues for C programs")
struct AddressedValueTests {
  @Test("A value under an address belongs to its queue and to queues that target it")
  func values() {
    let target = WorkQueue(label: "target")
    let queue = WorkQueue(label: "queue", target: target)
    let (first, second) = (CountingSemaphore(value: 0), CountingSemaphore(value: 0))
    queue.setSpecific(address: 7, value: value(first))
    target.setSpecific(address: 7, value: value(second))
    target.setSpecific(address: 8, value: value(second))
    #expect(queue.specific(address: 7).map(isOf(first)) == true)
    #expect(target.specific(address: 7).map(isOf(second)) == true)
    #expect(queue.specific(address: 8) == nil)
    queue.sync {
      #expect(WorkQueue.specific(address: 7).map(isOf(first)) == true)
      #expect(WorkQueue.specific(address: 8).map(isOf(second)) == true)
      #expect(WorkQueue.specific(address: 9) == nil)
    }
    queue.setSpecific(address: 7, value: nil)
    queue.sync { #expect(WorkQueue.specific(address: 7).map(isOf(second)) == true) }
    #expect(WorkQueue.specific(address: 8) == nil)
  }

  @Test("A global queue has no value under an address")
  func globalQueues() {
    WorkQueue.global().setSpecific(address: 7, value: value(CountingSemaphore(value: 0)))
    #expect(WorkQueue.global().specific(address: 7) == nil)
  }

  @Test("A value is disposed of when it is replaced or removed, or when its queue is released")
  func disposal() {
    let disposed = CountingSemaphore(value: 0)
    do {
      let queue = WorkQueue(label: "queue")
      for address: UInt in [1, 2, 3] {
        queue.setSpecific(address: address, value: signalingValue(disposed))
      }
      queue.setSpecific(address: 1, value: signalingValue(disposed))
      disposed.wait()
      queue.setSpecific(address: 2, value: nil)
      disposed.wait()
      #expect(disposed.wait(timeout: .now()) == .timedOut)
    }
    disposed.wait()
    disposed.wait()
  }

  @Test("The finalizer of a semaphore runs once, with the context")
  func semaphoreFinalizer() {
    let disposed = CountingSemaphore(value: 0)
    do {
      let semaphore = CountingSemaphore(value: 1)
      unsafe #expect(semaphore.context == nil)
      unsafe semaphore.context = unsafe Unmanaged.passUnretained(disposed).toOpaque()
      unsafe semaphore.setFinalizer(signal)
    }
    disposed.wait()
  }

  @Test("The label is a string of C at one address")
  func labels() {
    let queue = WorkQueue(label: "grün")
    unsafe #expect(String(cString: queue.labelBytes.start) == "grün")
    #expect(queue.labelBytes === queue.labelBytes)
    let unnamed = WorkQueue(label: "")
    unsafe #expect(unnamed.labelBytes.start[0] == 0)
    let other = WorkQueue(label: "other")
    // Bytes that are not UTF-8.
    let bytes = [0xff, 65, 0].map { CChar(truncatingIfNeeded: $0) }
    unsafe other.storeLabel(bytes)
    for (index, byte) in bytes.enumerated() {
      unsafe #expect(other.labelBytes.start[index] == byte)
    }
    withExtendedLifetime([queue, unnamed, other]) {}
  }

  private func value(_ semaphore: CountingSemaphore) -> AddressedValue {
    unsafe AddressedValue(Unmanaged.passUnretained(semaphore).toOpaque(), destructor: nil)
  }

  /// Returns a value whose disposal signals the semaphore.
  private func signalingValue(_ semaphore: CountingSemaphore) -> AddressedValue {
    unsafe AddressedValue(Unmanaged.passUnretained(semaphore).toOpaque(), destructor: signal)
  }

  private func isOf(_ semaphore: CountingSemaphore) -> (AddressedValue) -> Bool {
    { value in unsafe value.pointer == Unmanaged.passUnretained(semaphore).toOpaque() }
  }
}

private func signal(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<CountingSemaphore>.fromOpaque(context).takeUnretainedValue().signal()
}
