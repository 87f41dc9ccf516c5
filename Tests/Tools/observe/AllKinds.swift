import CIOChannelsTestSupport
import EventSources
import IOChannelsSystem
import IOChannelsTestSupport
import Synchronization

/// Prints the data of one event of each kind of source, or the error for which there is none.
func receiveEvents(file: String) throws {
  for kind in try Kind.all(file: file) { print("\(kind.name): \(try outcome(of: kind))") }
}

/// Receives an event of one kind of source, at first with no free descriptor and then with one more
/// for each attempt.
///
/// It prints the results of the first and of the last attempt.
func limitDescriptors(kind name: String, file: String) throws {
  guard let kind = try Kind.all(file: file).first(where: { $0.name == name }) else {
    throw TestFailure("there is no kind \(name)")
  }
  let lowestFree = try openFile("/dev/null").rawValue
  var outcomes: [String] = []
  for room in 0...8 {
    if ct_limit_descriptors(Int64(lowestFree) + Int64(room)) < 0 {
      throw TestFailure("no limit of descriptors")
    }
    let outcome = try outcome(of: kind)
    outcomes.append(outcome)
    if outcome != "error \(SystemError.tooManyOpenFiles.rawValue)" { break }
  }
  print(outcomes.first ?? "", outcomes.last ?? "", separator: "\n")
}

/// A kind of source, and a way to cause its event.
private struct Kind {
  typealias Source = (source: EventSource, data: @Sendable () -> UInt)

  let name: String
  /// A closure that creates a source, and another one that returns its data.
  let create: () throws -> Source
  /// A closure that causes an event after the activation.
  var cause: () throws -> Void = {}
}

extension Kind {
  /// Opens the objects that the sources observe, and returns all kinds.
  ///
  /// The file has 3 bytes.
  static func all(file path: String) throws -> [Kind] {
    try kindsOfProgram() + kindsOfDescriptors(file: path) + kindsOfPorts()
  }

  private static func kindsOfProgram() throws -> [Kind] {
    let child = try ChildProcess(["sleep", "1000"])
    let (userSignal, kill): (Int32, Int32) = (10, 9)
    return [
      Kind(name: "timer") {
        let source = EventSource.makeTimerSource()
        source.schedule(deadline: .now())
        return (source, { source.data })
      },
      Kind(name: "data") {
        let source = EventSource.makeUserDataAddSource()
        source.add(data: 7)
        return (source, { source.data })
      },
      Kind(
        name: "signal",
        create: {
          let source = EventSource.makeSignalSource(signal: userSignal)
          return (source, { source.data })
        },
        cause: { _ = ct_send(userSignal, 1) }
      ),
      Kind(
        name: "process",
        create: {
          let source = try EventSource.makeProcessSource(
            identifier: child.identifier,
            eventMask: .exit
          )
          return (source, { source.data.rawValue })
        },
        cause: { child.send(signal: kill) }
      ),
      Kind(name: "memory pressure") {
        let source = try EventSource.makeMemoryPressureSource(eventMask: .all)
        return (source, { source.data.rawValue })
      },
    ]
  }

  private static func kindsOfDescriptors(file path: String) throws -> [Kind] {
    let (reading, writing) = try PipeEnds().handedOut()
    _ = try BorrowedDescriptor(rawValue: writing).write([1, 2, 3, 4, 5], 0..<5)
    let file = try openFile(path, .readWrite).release()
    return [
      Kind(name: "pipe") {
        let source = EventSource.makeReadSource(fileDescriptor: reading)
        return (source, { source.data })
      },
      Kind(name: "file") {
        let source = EventSource.makeReadSource(fileDescriptor: file)
        return (source, { source.data })
      },
      // The room depends on the size of a page.
      Kind(name: "room") {
        let source = EventSource.makeWriteSource(fileDescriptor: writing)
        return (source, { min(1, source.data) })
      },
      Kind(
        name: "file system",
        create: {
          let source = EventSource.makeFileSystemObjectSource(
            fileDescriptor: file,
            eventMask: .write
          )
          return (source, { source.data.rawValue })
        },
        cause: { _ = try BorrowedDescriptor(rawValue: file).write([1], 0..<1) }
      ),
    ]
  }

  private static func kindsOfPorts() throws -> [Kind] {
    let (port, sender) = try EventPort.makePair()
    let (other, watched) = try EventPort.makePair()
    var closing: EventPort? = other
    return [
      Kind(
        name: "port",
        create: {
          let source = EventSource.makePortReceiveSource(port: port)
          return (source, { source.data })
        },
        cause: { try sender.send([1, 2, 3]) }
      ),
      Kind(
        name: "sender",
        create: {
          let source = EventSource.makePortSendSource(port: watched)
          return (source, { source.data })
        },
        cause: { _ = closing.take() }
      ),
    ]
  }
}

/// Receives one event of a source and cancels it.
///
/// - Returns: The data of the event, or the error of the creation or registration.
private func outcome(of kind: Kind) throws -> String {
  let new: Kind.Source
  do {
    new = try kind.create()
  } catch let error as SystemError {
    return "error \(error.rawValue)"
  }
  let (source, data) = new
  let received = CountingSemaphore(value: 0)
  let cancelled = CountingSemaphore(value: 0)
  let found = Atomic<UInt>(0)
  source.setEventHandler {
    found.store(data(), ordering: .relaxed)
    received.signal()
  }
  source.setCancelHandler { cancelled.signal() }
  source.activate()
  let error = source.registrationError
  if error == nil {
    try kind.cause()
    try wait(for: received, "the event of \(kind.name)")
  }
  source.cancel()
  try wait(for: cancelled, "the cancellation of \(kind.name)")
  return error.map { "error \($0.rawValue)" } ?? "\(found.load(ordering: .relaxed))"
}
