import DataRegions
import IOChannels
import QueueRuntime
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport

/// `channeltool transfer`: moves 64 MiB through channels while another process counts the calls.
enum Transfers {
  static let usage = """
    channeltool transfer stream SOURCE TARGET  read SOURCE as a stream, then write TARGET as one
    channeltool transfer region TARGET         write TARGET as a stream, from one region
    channeltool transfer reads SOURCE          read parts of 64 KiB, 16 of them at a time
    channeltool transfer writes TARGET         write parts of 1 MiB, 16 of them at a time
    channeltool transfer appends TARGET        append parts of 1 MiB, 16 of them at a time
    channeltool transfer direct TARGET         write one byte with O_DIRECT, and print the error
    """

  /// Prints the numbers of requests that the ring and that threads have carried, except for
  /// `direct`.
  static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "stream" where arguments.count == 3: try stream(arguments[1], arguments[2])
    case "region" where arguments.count == 2: try region(arguments[1])
    case "reads" where arguments.count == 2: try reads(arguments[1])
    case "writes" where arguments.count == 2: try writes(arguments[1])
    case "appends" where arguments.count == 2: try writes(arguments[1], appending: true)
    case "direct" where arguments.count == 2: return try direct(arguments[1])
    default: throw UsageError()
    }
    let counts = Engine.shared.counts
    print("\(counts.ringRequests) \(counts.threadRequests)")
  }
}

private let size = 64 << 20
private let depth = 16

private func channel(_ kind: IOChannel.StreamType, _ file: borrowing OwnedDescriptor) -> IOChannel {
  IOChannel(type: kind, fileDescriptor: file.rawValue, queue: .global()) { _ in }
}

private func stream(_ source: String, _ target: String) throws {
  let input = try openFile(source)
  let output = try openFile(target, [.writeOnly, .create])
  let data = BargingLock(DataBuffer.empty)
  let end = WorkGroup()
  end.enter()
  channel(.stream, input).read(offset: 0, length: .max, queue: .global()) { isDone, piece, _ in
    data.withLock { $0.append(piece ?? .empty) }
    if isDone { end.leave() }
  }
  end.wait()
  write(data.withLock { $0 }, to: output)
}

private func region(_ target: String) throws {
  let output = try openFile(target, [.writeOnly, .create])
  write(DataBuffer([UInt8](repeating: 7, count: size)), to: output)
}

private func write(_ data: DataBuffer, to output: borrowing OwnedDescriptor) {
  let end = WorkGroup()
  end.enter()
  channel(.stream, output).write(offset: 0, data: data, queue: .global()) { isDone, _, _ in
    if isDone { end.leave() }
  }
  end.wait()
}

/// Begins a part and calls `ended` at its end.
private typealias Part = @Sendable (_ offset: Int64, _ ended: @escaping Ended) -> Void
private typealias Ended = @Sendable () -> Void

/// Keeps as many parts in flight as the depth states: the end of one begins the next.
private func inParts(of length: Int, _ begin: @escaping Part) {
  let end = WorkGroup()
  @Sendable func next(_ offset: Int) {
    guard offset < size else { return end.leave() }
    begin(Int64(offset)) { next(offset + depth * length) }
  }
  for place in 0..<depth {
    end.enter()
    next(place * length)
  }
  end.wait()
}

private func reads(_ source: String) throws {
  let input = try openFile(source)
  let channel = channel(.random, input)
  let queue = WorkQueue(label: "reads")
  inParts(of: 64 << 10) { offset, ended in
    channel.read(offset: offset, length: 64 << 10, queue: queue) { isDone, _, _ in
      if isDone { ended() }
    }
  }
}

private func writes(_ target: String, appending: Bool = false) throws {
  let output = try openFile(target, [.writeOnly, .create])
  if appending { try output.borrowed.setStatusFlags(.append) }
  let channel = channel(.random, output)
  let queue = WorkQueue(label: "writes")
  let part = DataBuffer([UInt8](repeating: 7, count: 1 << 20))
  inParts(of: 1 << 20) { offset, ended in
    channel.write(offset: offset, data: part, queue: queue) { isDone, _, _ in
      if isDone { ended() }
    }
  }
}

private func direct(_ target: String) throws {
  let output = try openFile(target, [.writeOnly, .direct])
  let end = WorkGroup()
  end.enter()
  channel(.random, output).write(offset: 1, data: DataBuffer([7]), queue: .global()) {
    isDone,
    _,
    error in
    guard isDone else { return }
    print(error?.rawValue ?? 0)
    end.leave()
  }
  end.wait()
}
