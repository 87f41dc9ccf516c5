// The functions of `io.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import DataRegions
internal import Glibc
internal import IOChannels
internal import IOChannelsSystem
internal import QueueRuntime

// MARK: - Handlers

/// A handler of a C program for the progress of an operation.
@safe
private struct ProgressCall: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer?
  private let function: gcd_io_handler_function_t

  init(_ context: UnsafeMutableRawPointer?, _ function: @escaping gcd_io_handler_function_t) {
    unsafe self.context = context
    unsafe self.function = function
  }

  func callAsFunction(_ isDone: Bool, _ data: DataBuffer?, _ error: Int32) {
    unsafe withData(data) { data in unsafe function(context, isDone, data, error) }
  }
}

/// A handler of a C program for the result of a transfer.
@safe
private struct ResultCall: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer?
  private let function: gcd_data_error_function_t

  init(_ context: UnsafeMutableRawPointer?, _ function: @escaping gcd_data_error_function_t) {
    unsafe self.context = context
    unsafe self.function = function
  }

  func callAsFunction(_ data: DataBuffer?, _ error: Int32) {
    unsafe withData(data) { data in unsafe function(context, data, error) }
  }
}

/// A handler of a C program for the end of a channel.
@safe
private struct CleanupCall: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer?
  private let function: gcd_error_function_t?

  init(_ context: UnsafeMutableRawPointer?, _ function: gcd_error_function_t?) {
    unsafe self.context = context
    unsafe self.function = function
  }

  func callAsFunction(_ error: Int32) { unsafe function?(context, error) }
}

/// Returns a size of C as a length; sizes above the largest length stand for it.
private func length(_ size: Int) -> Int { size < 0 ? .max : size }

// MARK: - Transfers of a descriptor

/// Reads once from a descriptor.
@c @implementation
public func gcd_read_f(
  _ descriptor: Int32,
  _ size: Int,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ handler: @escaping gcd_data_error_function_t
) {
  let call = unsafe ResultCall(context, handler)
  unsafe with(queue, as: WorkQueue.self) { queue in
    IOChannel.read(
      fromFileDescriptor: descriptor,
      maxLength: length(size),
      runningHandlerOn: queue
    ) { data, error in call(data, error) }
  }
}

/// Writes data to a descriptor.
@c @implementation
public func gcd_write_f(
  _ descriptor: Int32,
  _ data: gcd_data_t,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ handler: @escaping gcd_data_error_function_t
) {
  let call = unsafe ResultCall(context, handler)
  let buffer = unsafe bytes(of: data)
  unsafe with(queue, as: WorkQueue.self) { queue in
    IOChannel.write(
      toFileDescriptor: descriptor,
      data: buffer,
      runningHandlerOn: queue
    ) { data, error in call(data, error) }
  }
}

// MARK: - Creation

private func streamType(_ code: UInt) -> IOChannel.StreamType? {
  switch code {
  case UInt(GCD_IO_STREAM): .stream
  case UInt(GCD_IO_RANDOM): .random
  default: nil
  }
}

/// Creates a channel for an open descriptor; nil for an unknown type.
@c @implementation
public func gcd_io_create_f(
  _ type: UInt,
  _ descriptor: Int32,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ cleanup: gcd_error_function_t?
) -> gcd_io_t? {
  guard let type = streamType(type) else { return nil }
  let call = unsafe CleanupCall(context, cleanup)
  let channel = unsafe with(queue, as: WorkQueue.self) { queue in
    IOChannel(type: type, fileDescriptor: descriptor, queue: queue) { error in call(error) }
  }
  return unsafe retained(channel)
}

/// Creates a channel for a path; nil for an unknown type or a path that is not absolute.
@c @implementation
public func gcd_io_create_with_path_f(
  _ type: UInt,
  _ path: UnsafePointer<CChar>,
  _ flags: Int32,
  _ mode: UInt32,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ cleanup: gcd_error_function_t?
) -> gcd_io_t? {
  guard let type = streamType(type) else { return nil }
  let name = unsafe BytePath(bytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
  let call = unsafe CleanupCall(context, cleanup)
  let channel = unsafe with(queue, as: WorkQueue.self) { queue in
    IOChannel(
      type: type,
      path: name,
      oflag: flags,
      mode: mode,
      queue: queue,
      reportsOpening: false
    ) { error in call(error) }
  }
  guard let channel else { return nil }
  return unsafe retained(channel)
}

/// Creates a channel for the file of another channel; nil for an unknown type.
@c @implementation
public func gcd_io_create_with_io_f(
  _ type: UInt,
  _ channel: gcd_io_t,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ cleanup: gcd_error_function_t?
) -> gcd_io_t? {
  guard let type = streamType(type) else { return nil }
  let call = unsafe CleanupCall(context, cleanup)
  let other = unsafe with(channel, as: IOChannel.self) { channel in
    unsafe with(queue, as: WorkQueue.self) { queue in
      IOChannel(type: type, io: channel, queue: queue, reportsOpening: false) { call($0) }
    }
  }
  return unsafe retained(other)
}

// MARK: - Operations

/// Reads from a channel.
@c @implementation
public func gcd_io_read_f(
  _ channel: gcd_io_t,
  _ offset: Int,
  _ size: Int,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ handler: @escaping gcd_io_handler_function_t
) {
  let call = unsafe ProgressCall(context, handler)
  unsafe with(channel, as: IOChannel.self) { channel in
    unsafe with(queue, as: WorkQueue.self) { queue in
      // Operations of C keep their channel, which the handler may use after its release.
      channel.read(offset: offset, length: length(size), queue: queue) { isDone, data, error in
        withExtendedLifetime(channel) { call(isDone, data, error) }
      }
    }
  }
}

/// Writes to a channel.
@c @implementation
public func gcd_io_write_f(
  _ channel: gcd_io_t,
  _ offset: Int,
  _ data: gcd_data_t,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ handler: @escaping gcd_io_handler_function_t
) {
  let call = unsafe ProgressCall(context, handler)
  let buffer = unsafe bytes(of: data)
  unsafe with(channel, as: IOChannel.self) { channel in
    unsafe with(queue, as: WorkQueue.self) { queue in
      channel.write(offset: offset, data: buffer, queue: queue) { isDone, data, error in
        withExtendedLifetime(channel) { call(isDone, data, error) }
      }
    }
  }
}

/// Runs a function after all earlier operations of a channel and before all later ones.
@c @implementation
public func gcd_io_barrier_f(
  _ channel: gcd_io_t,
  _ context: UnsafeMutableRawPointer?,
  _ barrier: @escaping gcd_function_t
) {
  let call = unsafe FunctionCall(context: context, function: barrier)
  unsafe with(channel, as: IOChannel.self) { channel in
    channel.barrier { withExtendedLifetime(channel) { call() } }
  }
}

/// Closes a channel.
@c @implementation
public func gcd_io_close(_ channel: gcd_io_t, _ flags: UInt) {
  unsafe with(channel, as: IOChannel.self) { channel in
    channel.close(flags: IOChannel.CloseFlags(rawValue: flags))
  }
}

/// Returns the descriptor of a channel; -1 if it is closed or not open yet.
@c @implementation
public func gcd_io_get_descriptor(_ channel: gcd_io_t) -> Int32 {
  unsafe with(channel, as: IOChannel.self) { $0.fileDescriptor }
}

// MARK: - Settings

/// Sets the largest size of a chunk, for later operations.
@c @implementation
public func gcd_io_set_high_water(_ channel: gcd_io_t, _ size: Int) {
  unsafe with(channel, as: IOChannel.self) { $0.setLimit(highWater: length(size)) }
}

/// Sets the smallest size of a chunk, for later operations.
@c @implementation
public func gcd_io_set_low_water(_ channel: gcd_io_t, _ size: Int) {
  unsafe with(channel, as: IOChannel.self) { $0.setLimit(lowWater: length(size)) }
}

/// Sets the nanoseconds after which later operations call their handlers.
@c @implementation
public func gcd_io_set_interval(_ channel: gcd_io_t, _ interval: UInt64, _ flags: UInt) {
  let time = Duration.nanoseconds(Int64(clamping: interval))
  unsafe with(channel, as: IOChannel.self) { channel in
    channel.setInterval(interval: time, flags: IOChannel.IntervalFlags(rawValue: flags))
  }
}
