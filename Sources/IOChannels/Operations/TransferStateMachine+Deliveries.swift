import DataRegions
internal import IOChannelsLocks
import IOChannelsSystem

extension TransferStateMachine {
  /// Delivers the bytes of a read, also none, or the unwritten bytes of a write.
  ///
  /// It does so at each interval, except near the end and while a delivery is pending (S137).
  mutating func tick(_ actions: inout Actions) {
    if deliveries.isEmpty, requestPlace != nil {
      collectFirst()
      deliver()
    }
    conclude(&actions)
  }

  /// Moves the bytes of the first part into the next delivery of a read.
  mutating func collectFirst() {
    guard let first = parts.first, first.filled > first.collected,
      let memory = objects[0].memory
    else { return }
    data.append(memory.filled(first.start + first.collected..<first.start + first.filled))
    parts.change(at: 0) { $0.collected = first.filled }
  }

  /// Queues a delivery that is not the last one.
  mutating func deliver() {
    switch direction {
    case .read:
      charged += data.count
      unreturned += undelivered
      deliveries.append(Delivery(isDone: false, data: data, error: nil, memory: data.count))
      data = .empty
    case .write:
      // The handler receives the caller's own data, so it does not count.
      deliveries.append(Delivery(isDone: false, data: data, error: nil))
    }
    undelivered = 0
  }

  /// Queues the last delivery of a read, with all bytes that were requested.
  mutating func deliverAll(_ actions: inout Actions) {
    collectFirst()
    charged += data.count
    deliveries.append(Delivery(isDone: true, data: data, error: nil, memory: data.count))
    endQueued(&actions)
    data = .empty
    undelivered = 0
  }

  /// Queues the last delivery, after the one with bytes that were read before it.
  mutating func deliverEnd(_ error: SystemError?, _ actions: inout Actions) {
    switch direction {
    case .read:
      collectFirst()
      if undelivered > 0 { deliver() }
      deliveries.append(Delivery(isDone: true, data: error == nil ? .empty : nil, error: error))
    case .write:
      deliveries.append(Delivery(isDone: true, data: error == nil ? nil : data, error: error))
      data = .empty
    }
    endQueued(&actions)
  }
}
