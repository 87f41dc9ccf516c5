import Dispatch
import Glibc
import Measure

/// Work for event sources of Dispatch. `OurSources` repeats it line by line.
enum DispatchSources {
  static func merge(_ count: Int) throws -> Timing {
    let queue = DispatchQueue(label: "bench")
    let counter = Counter()
    let end = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
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
    let (left, right) = try OurSources.sockets()
    let counter = Counter()
    let end = DispatchSemaphore(value: 0)
    let closed = DispatchGroup()
    let sources = [left, right].map { socket in
      let queue = DispatchQueue(label: "bench")
      let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
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

  static func cancel(_ count: Int) throws -> Double {
    let (left, right) = try OurSources.sockets()
    let queue = DispatchQueue(label: "bench")
    let end = DispatchSemaphore(value: 0)
    let start = DispatchSemaphore(value: 0)
    defer { [left, right].forEach { close($0) } }
    var total = Duration.zero
    for _ in 0..<count {
      let source = DispatchSource.makeReadSource(fileDescriptor: left, queue: queue)
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
}
