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
    guard !parts.isEmpty, parts[0].filled > parts[0].collected else { return }
    let range = parts.change(at: 0) { part in
      defer { part.collected = part.filled }
      return part.start + part.collected..<part.start + part.filled
    }
    let bytes = objects.change(at: 0) { objects -> DataBuffer in
      // The memory is moved out and back, so that its references are not counted.
      guard let memory = objects.memory.take() else { return .empty }
      defer { objects.memory = memory }
      return memory.filled(range)
    }
    if data.isEmpty { data = consume bytes } else { data.append(bytes) }
  }

  /// Queues a delivery that is not the last one.
  mutating func deliver() {
    switch direction {
    case .read:
      charged += data.count
      unreturned += undelivered
      deliveries.append(Delivery(isDone: false, read: exchange(&data, with: .empty)))
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
    deliveries.append(Delivery(isDone: true, read: exchange(&data, with: .empty)))
    endQueued(&actions)
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
