// The names of Dispatch for the types of this package.
//
// A file that imports Foundation sees the types of Dispatch under these names too, as Foundation
// exports them. The compiler then calls the names ambiguous. Copy this file into the module that
// uses them: the names of a module hide imported ones.

public import EventSources
public import IOChannels

/// An object that reads and writes a file asynchronously.
public typealias DispatchIO = IOChannel
/// An immutable buffer of several memory regions.
public typealias DispatchData = DataBuffer
/// An iterator over the bytes of a buffer.
public typealias DispatchDataIterator = DataBuffer.Iterator

/// A queue of work.
public typealias DispatchQueue = WorkQueue
/// A quality of service.
public typealias DispatchQoS = WorkQueue.QoS
/// A key of a value that belongs to a queue.
public typealias DispatchSpecificKey = QueueKey
/// A condition for the calling thread.
public typealias DispatchPredicate = QueueCondition
/// A set of work whose end can be awaited.
public typealias DispatchGroup = WorkGroup
/// A counting semaphore.
public typealias DispatchSemaphore = CountingSemaphore
/// A closure that can be submitted, awaited and cancelled.
public typealias DispatchWorkItem = WorkItem
/// Options of a work item.
public typealias DispatchWorkItemFlags = WorkItem.Flags
/// The result of a wait with a limit.
public typealias DispatchTimeoutResult = WaitResult

/// A point in time that is independent of the wall clock.
public typealias DispatchTime = Deadline
/// A point in time of the wall clock.
public typealias DispatchWallTime = WallDeadline
/// A length of time.
public typealias DispatchTimeInterval = ClockInterval

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The number of nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The number of nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The number of nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The number of microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The flag with which a program opens a file that it only watches: `O_PATH` of Linux.
public let O_EVTONLY: Int32 = 0o1000_0000

/// An object that can be suspended and targets a queue.
public typealias DispatchObject = SuspendableObject
/// An event source of any kind.
public typealias DispatchSource = EventSource

/// Any event source.
public protocol DispatchSourceProtocol: EventSource {}
/// A timer source.
public protocol DispatchSourceTimer: TimerSource {}
/// A source for a descriptor that has bytes to read.
public protocol DispatchSourceRead: ReadSource {}
/// A source for a descriptor that accepts bytes.
public protocol DispatchSourceWrite: WriteSource {}
/// A source for signals.
public protocol DispatchSourceSignal: SignalSource {}
/// A source for a process.
public protocol DispatchSourceProcess: ProcessSource {}
/// A source for changes of a file.
public protocol DispatchSourceFileSystemObject: FileSystemSource {}
/// A source for a lack of memory.
public protocol DispatchSourceMemoryPressure: MemoryPressureSource {}
/// A source that adds the numbers that it gets.
public protocol DispatchSourceUserDataAdd: DataSource {}
/// A source that unites the bits that it gets.
public protocol DispatchSourceUserDataOr: DataSource {}
/// A source that keeps the last number that it gets.
public protocol DispatchSourceUserDataReplace: DataSource {}

extension EventSource: DispatchSourceProtocol {}
extension TimerSource: DispatchSourceTimer {}
extension ReadSource: DispatchSourceRead {}
extension WriteSource: DispatchSourceWrite {}
extension SignalSource: DispatchSourceSignal {}
extension ProcessSource: DispatchSourceProcess {}
extension FileSystemSource: DispatchSourceFileSystemObject {}
extension MemoryPressureSource: DispatchSourceMemoryPressure {}
extension DataSource: DispatchSourceUserDataAdd, DispatchSourceUserDataOr {}
extension DataSource: DispatchSourceUserDataReplace {}

/// Stops the program unless the calling thread satisfies a condition.
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {
  WorkQueue.precondition(condition())
}

/// Runs the main queue on the main thread, and never returns.
@available(*, noasync)
public func dispatchMain() -> Never {
  WorkQueue.runMain()
}
