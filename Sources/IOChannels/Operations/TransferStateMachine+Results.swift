import DataRegions
internal import IOChannelsLocks
import IOChannelsSystem

extension TransferStateMachine {
  /// Processes the result of a part's request.
  mutating func answered(
    _ number: Int,
    _ result: Result<Int, SystemError>,
    _ actions: inout Actions
  ) {
    let index = parts.firstIndex {
      guard $0.number == number, case .inFlight = $0.state else { return false }
      return true
    }
    if let index { answer(partAt: index, result, &actions) }
    conclude(&actions)
  }

  /// Processes whether the file has more bytes: the read continues, or ends.
  mutating func probed(hasMore: Bool, _ actions: inout Actions) {
    isProbing = false
    if case .transferring = phase {
      if !hasMore {
        end(nil)
      } else if let first = parts.first, case .idle = first.state {
        request(partAt: 0, &actions)
        applyAnswers(&actions)
      }
    }
    requestReads(&actions)
    finishIfPossible(&actions)
    conclude(&actions)
  }

  /// Processes the return of a handler, which makes space in the window.
  mutating func returned(from delivery: Delivery, _ actions: inout Actions) {
    if case .read = direction {
      unreturned -= delivery.data?.count ?? 0
      requestReads(&actions)
    }
    conclude(&actions)
  }

  /// Applies the result of a part, and requests more.
  mutating func answer(
    partAt index: Int,
    _ result: Result<Int, SystemError>,
    _ actions: inout Actions
  ) {
    requestedParts -= 1
    objects.change(at: index) { $0.request = nil }
    switch direction {
    case .read:
      let (head, rest) = (parts[index].head, parts[index].capacity - parts[index].filled)
      requestedBytes -= rest
      let count = result.map { count in max(0, min(count - head, rest)) }
      parts.change(at: index) { $0.state = .answered(count) }
      applyAnswers(&actions)
      requestReads(&actions)
    case .write:
      releaseMemory(ofPartAt: index)
      parts.remove(at: index)
      objects.remove(at: index)
      apply(result, &actions)
    }
    finishIfPossible(&actions)
  }

  /// Whether results still change the operation's bytes.
  private var appliesResults: Bool {
    switch phase {
    case .transferring, .stopping: true
    case .waiting, .ending, .delivered, .cancelled, .ended: false
    }
  }
}

// MARK: - Reads

extension TransferStateMachine {
  /// Applies the results of the first parts, up to one that has none.
  private mutating func applyAnswers(_ actions: inout Actions) {
    while appliesResults, let first = parts.first, case .answered(let answer) = first.state {
      parts.change(at: 0) { $0.state = .idle }
      switch answer {
      case .failure(let error):
        end(error)
      case .success(0) where !first.isInOrder && requestPlace != nil:
        // Some file systems report another length at each read: beside other reads, a read may find
        // a wrong end.
        request(partAt: 0, &actions)
      case .success(0):
        end(nil)
      case .success(let count):
        take(count, &actions)
      }
    }
  }

  /// Takes bytes of the first part, and requests its rest.
  private mutating func take(_ count: Int, _ actions: inout Actions) {
    guard case .read(let plan) = direction else { return }
    deliver(count, of: plan, &actions)
    if plan.extent == .available, appliesResults {
      deliverAll(&actions)
    } else if plan.extent == .untilEmpty, plan.window.parts == 1, let place = requestPlace {
      isProbing = true
      actions.append(.probe(place.file.descriptor))
    }
    let room = parts[0].capacity - parts[0].filled
    if room == 0 || plan.ends(partWithRoomFor: room, after: total) {
      collectFirst()
      releaseMemory(ofPartAt: 0)
      parts.remove(at: 0)
      objects.remove(at: 0)
    } else if requestPlace != nil, !isProbing {
      request(partAt: 0, &actions)
    }
  }

  /// Delivers new bytes of the first part, as often as the marks demand.
  private mutating func deliver(_ count: Int, of plan: ReadPlan, _ actions: inout Actions) {
    var rest = count
    while rest > 0 {
      // After a short transfer, more bytes may be undelivered than were planned.
      let step = min(rest, limits.highWater - undelivered)
      parts.change(at: 0) { $0.filled += step }
      total += step
      undelivered += step
      rest -= step
      if total == plan.length {
        deliverAll(&actions)
      } else if isAtLowWater {
        collectFirst()
        deliver()
      }
    }
  }

  private var isAtLowWater: Bool {
    undelivered >= limits.lowWater
  }
}

// MARK: - Writes

extension TransferStateMachine {
  private mutating func apply(_ result: Result<Int, SystemError>, _ actions: inout Actions) {
    switch result {
    case .failure(let error):
      end(error)
    case .success(0):
      // The kernel accepts no bytes and reports no reason: repeating would never end.
      end(.ioError)
    case .success(let count):
      data = data.subdata(in: count..<data.count)
      total += count
      undelivered += count
      if !data.isEmpty, requestPlace != nil, undelivered >= limits.lowWater { deliver() }
      requestWrite(&actions)
    }
  }
}
