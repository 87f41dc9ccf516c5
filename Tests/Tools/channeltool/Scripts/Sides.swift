import Dispatch
import DispatchInterop
import Glibc
import IOChannels
import IOChannelsEngine

/// What a script needs of channels, here and in Dispatch.
protocol ScriptedChannel: Sendable {
  typealias Handler = @Sendable (_ isDone: Bool, _ data: DataBuffer?, _ error: Int32) -> Void
  typealias Cleanup = @Sendable (_ error: Int32) -> Void

  static func make(isRandom: Bool, number: Int32, _ cleanup: @escaping Cleanup) -> Self
  static func make(
    isRandom: Bool,
    path: String,
    oflag: Int32,
    _ cleanup: @escaping Cleanup
  ) -> Self?
  func sibling(isRandom: Bool, _ cleanup: @escaping Cleanup) -> Self
  func read(offset: Int, length: Int, _ handler: @escaping Handler)
  func write(offset: Int, _ data: DataBuffer, _ handler: @escaping Handler)
  func barrier(_ body: @escaping @Sendable () -> Void)
  func setLow(_ bytes: Int)
  func setHigh(_ bytes: Int)
  func close(stops: Bool)
  var number: Int32 { get }
  static func readOnce(_ number: Int32, _ length: Int, _ handler: @escaping Handler)
  static func writeOnce(_ number: Int32, _ data: DataBuffer, _ handler: @escaping Handler)
}

struct OurChannel: ScriptedChannel {
  private static let queue = WorkQueue(label: "ours")
  let channel: IOChannel

  static func make(isRandom: Bool, number: Int32, _ cleanup: @escaping Cleanup) -> OurChannel {
    OurChannel(
      channel: IOChannel(type: isRandom ? .random : .stream, fileDescriptor: number, queue: queue) {
        cleanup($0?.rawValue ?? 0)
      }
    )
  }

  static func make(
    isRandom: Bool,
    path: String,
    oflag: Int32,
    _ cleanup: @escaping Cleanup
  ) -> OurChannel? {
    let channel = IOChannel(
      type: isRandom ? .random : .stream,
      path: BytePath(path),
      oflag: oflag,
      mode: 0o644,
      queue: queue
    ) { cleanup($0?.rawValue ?? 0) }
    return channel.map { OurChannel(channel: $0) }
  }

  func sibling(isRandom: Bool, _ cleanup: @escaping Cleanup) -> OurChannel {
    OurChannel(
      channel: IOChannel(type: isRandom ? .random : .stream, io: channel, queue: Self.queue) {
        cleanup($0?.rawValue ?? 0)
      }
    )
  }

  func read(offset: Int, length: Int, _ handler: @escaping Handler) {
    channel.read(offset: Int64(offset), length: length, queue: Self.queue) {
      handler($0, $1, $2?.rawValue ?? 0)
    }
  }

  func write(offset: Int, _ data: DataBuffer, _ handler: @escaping Handler) {
    channel.write(offset: Int64(offset), data: data, queue: Self.queue) {
      handler($0, $1, $2?.rawValue ?? 0)
    }
  }

  func barrier(_ body: @escaping @Sendable () -> Void) { channel.barrier(execute: body) }
  func setLow(_ bytes: Int) { channel.setLimit(lowWater: bytes) }
  func setHigh(_ bytes: Int) { channel.setLimit(highWater: bytes) }
  func close(stops: Bool) { channel.close(flags: stops ? .stop : []) }
  var number: Int32 { channel.fileDescriptor }

  static func readOnce(_ number: Int32, _ length: Int, _ handler: @escaping Handler) {
    IOChannel.read(
      fromFileDescriptor: number,
      maxLength: length,
      runningHandlerOn: queue
    ) { handler(true, $0, $1?.rawValue ?? 0) }
  }

  static func writeOnce(_ number: Int32, _ data: DataBuffer, _ handler: @escaping Handler) {
    IOChannel.write(toFileDescriptor: number, data: data, runningHandlerOn: queue) {
      handler(true, $0, $1?.rawValue ?? 0)
    }
  }
}

/// `@unchecked Sendable` because any thread may use an object of Dispatch.
struct TheirChannel: ScriptedChannel, @unchecked Sendable {
  private static let queue = DispatchQueue(label: "theirs")
  let channel: DispatchIO

  static func make(isRandom: Bool, number: Int32, _ cleanup: @escaping Cleanup) -> TheirChannel {
    TheirChannel(
      channel: DispatchIO(
        type: isRandom ? .random : .stream,
        fileDescriptor: number,
        queue: queue,
        cleanupHandler: cleanup
      )
    )
  }

  static func make(
    isRandom: Bool,
    path: String,
    oflag: Int32,
    _ cleanup: @escaping Cleanup
  ) -> TheirChannel? {
    let channel = unsafe DispatchIO(
      type: isRandom ? .random : .stream,
      path: path,
      oflag: oflag,
      mode: 0o644,
      queue: queue,
      cleanupHandler: cleanup
    )
    return channel.map { TheirChannel(channel: $0) }
  }

  func sibling(isRandom: Bool, _ cleanup: @escaping Cleanup) -> TheirChannel {
    TheirChannel(
      channel: DispatchIO(
        type: isRandom ? .random : .stream,
        io: channel,
        queue: Self.queue,
        cleanupHandler: cleanup
      )
    )
  }

  func read(offset: Int, length: Int, _ handler: @escaping Handler) {
    channel.read(offset: off_t(offset), length: length, queue: Self.queue) {
      handler($0, $1.map { DataBuffer($0) }, $2)
    }
  }

  func write(offset: Int, _ data: DataBuffer, _ handler: @escaping Handler) {
    channel.write(offset: off_t(offset), data: DispatchData(data), queue: Self.queue) {
      handler($0, $1.map { DataBuffer($0) }, $2)
    }
  }

  func barrier(_ body: @escaping @Sendable () -> Void) { channel.barrier(execute: body) }
  func setLow(_ bytes: Int) { channel.setLimit(lowWater: bytes) }
  func setHigh(_ bytes: Int) { channel.setLimit(highWater: bytes) }
  func close(stops: Bool) { channel.close(flags: stops ? .stop : []) }
  var number: Int32 { channel.fileDescriptor }

  static func readOnce(_ number: Int32, _ length: Int, _ handler: @escaping Handler) {
    DispatchIO.read(fromFileDescriptor: number, maxLength: length, runningHandlerOn: queue) {
      handler(true, DataBuffer($0), $1)
    }
  }

  static func writeOnce(_ number: Int32, _ data: DataBuffer, _ handler: @escaping Handler) {
    DispatchIO.write(
      toFileDescriptor: number,
      data: DispatchData(data),
      runningHandlerOn: queue
    ) { handler(true, $0.map { DataBuffer($0) }, $1) }
  }
}
