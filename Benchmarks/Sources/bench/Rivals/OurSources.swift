import EventSources
import Glibc
import IOChannels
import Measure

/// Work for event sources of this package. `DispatchSources` repeats it line by line, so that no
/// common layer is measured.
enum OurSources {
  static func merge(_ count: Int) throws -> Timing {
    let queue = WorkQueue(label: "bench")
    let counter = Counter()
    let end = CountingSemaphore(value: 0)
    let source = EventSource.makeUserDataAddSource(queue: queue)
    // The cancellation drops the handler, and with it the source.
    source.setEventHandler {
      counter.value += Int(source.data)
      if counter.value == count { end.signal() }
    }
    source.activate()
    return try timed(expecting: count) {
      for _ in 0..<count { source.add(data: 1) }
      end.wait()
      source.cancel()
      return queue.sync { counter.value }
    }
  }

  static func echo(_ count: Int) throws -> Timing {
    let (left, right) = try sockets()
    let counter = Counter()
    let end = CountingSemaphore(value: 0)
    let closed = WorkGroup()
    let sources = [left, right].map { socket in
      let queue = WorkQueue(label: "bench")
      let source = EventSource.makeReadSource(fileDescriptor: socket, queue: queue)
      closed.enter()
      source.setEventHandler {
        var byte: UInt8 = 0
        guard read(socket, &byte, 1) == 1 else { return }
        if socket == left {
          counter.value += 1
          if counter.value == count { return _ = end.signal() }
        }
        write(socket, &byte, 1)
      }
      source.setCancelHandler {
        close(socket)
        closed.leave()
      }
      source.activate()
      return source
    }
    let time = try timed(expecting: count) {
      var byte: UInt8 = 1
      write(left, &byte, 1)
      end.wait()
      return counter.value
    }
    for source in sources { source.cancel() }
    closed.wait()
    return time
  }

  static func armSources(_ count: Int, meter: Probes.Meter) -> Double {
    let queue = WorkQueue(label: "bench")
    let start = Deadline.now() + .seconds(3600)
    let times = Places.milliseconds(count).map { start + .milliseconds($0) }
    return meter {
      let sources = times.map { time in
        let source = EventSource.makeTimerSource(queue: queue)
        source.setEventHandler {}
        source.schedule(deadline: time)
        source.activate()
        return source
      }
      for source in sources { source.cancel() }
    }
  }

  static func cancel(_ count: Int) throws -> Double {
    let (left, right) = try sockets()
    let queue = WorkQueue(label: "bench")
    let end = CountingSemaphore(value: 0)
    let start = CountingSemaphore(value: 0)
    defer { [left, right].forEach { close($0) } }
    var total = Duration.zero
    for _ in 0..<count {
      let source = EventSource.makeReadSource(fileDescriptor: left, queue: queue)
      source.setEventHandler {}
      source.setRegistrationHandler { start.signal() }
      source.setCancelHandler { end.signal() }
      source.activate()
      start.wait()
      total += ContinuousClock().measure {
        source.cancel()
        end.wait()
      }
    }
    return total / .seconds(1)
  }

  /// Returns the bytes that one armed timer source occupies.
  static func bytesOfTimer(_ count: Int) throws -> Double {
    let queue = WorkQueue(label: "bench")
    let time = Deadline.now() + .seconds(3600)
    var sources: [TimerSource] = []
    sources.reserveCapacity(count)
    let before = try Probes.residentBytes()
    for _ in 0..<count {
      let source = EventSource.makeTimerSource(queue: queue)
      source.setEventHandler {}
      source.schedule(deadline: time)
      source.activate()
      sources.append(source)
    }
    queue.sync {}
    let after = try Probes.residentBytes()
    for source in sources { source.cancel() }
    queue.sync {}
    return Double(after - before) / Double(count)
  }

  /// Creates two connected sockets.
  static func sockets() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw CommandFailure(description: "no sockets: error \(errno)")
    }
    return (ends[0], ends[1])
  }
}
