// The functions of `data.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import DataRegions
internal import QueueRuntime

/// Creates a data object from memory, and disposes of the memory in one of four ways.
@c @implementation
public func gcdimpl_data_create(
  _ buffer: UnsafeRawPointer?,
  _ size: Int,
  _ queue: gcd_queue_t?,
  _ destructor: Int32,
  _ context: UnsafeMutableRawPointer?,
  _ function: gcd_function_t?
) -> gcd_data_t {
  let count = unsafe buffer == nil ? 0 : size
  let memory = unsafe UnsafeRawBufferPointer(start: buffer, count: count)
  // Dispatch calls the finalizer of the object on the queue of the destructor too.
  let target = unsafe queueInstance(queue)
  let deallocator: DataBuffer.Deallocator
  switch destructor {
  case GCD_DESTRUCTOR_COPY:
    return unsafe makeData(DataBuffer(bytes: memory), target: target)
  case GCD_DESTRUCTOR_FREE: deallocator = .free
  case GCD_DESTRUCTOR_MUNMAP: deallocator = .unmap
  default:
    if let function = unsafe function {
      let call = unsafe FunctionCall(context: context, function: function)
      deallocator = unsafe .custom { _ in call.submit(to: target ?? .global()) }
    } else {
      deallocator = .none
    }
  }
  return unsafe makeData(
    DataBuffer(bytesNoCopy: memory, deallocator: deallocator),
    target: target
  )
}

/// Returns the number of bytes of a data object.
@c @implementation
public func gcd_data_get_size(_ data: gcd_data_t) -> Int {
  unsafe bytes(of: data).count
}

/// Returns the bytes of a data object in one region, with their address and number.
@c @implementation
public func gcd_data_create_map(
  _ data: gcd_data_t,
  _ buffer: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ size: UnsafeMutablePointer<Int>?
) -> gcd_data_t {
  let whole = unsafe bytes(of: data)
  let map = whole.flattened()
  unsafe buffer?.pointee = map.regions.first?.start
  unsafe size?.pointee = map.count
  if whole.regions.count > 1 { return unsafe makeData(map) }
  return unsafe retainedData(data)
}

/// Returns the bytes of two data objects as one, without a copy.
@c @implementation
public func gcd_data_create_concat(_ first: gcd_data_t, _ second: gcd_data_t) -> gcd_data_t {
  let head = unsafe bytes(of: first)
  let tail = unsafe bytes(of: second)
  if head.isEmpty { return unsafe retainedData(second) }
  if tail.isEmpty { return unsafe retainedData(first) }
  return unsafe makeData(head + tail)
}

/// Returns a part of a data object, without a copy; the range is limited to the object.
@c @implementation
public func gcd_data_create_subrange(
  _ data: gcd_data_t,
  _ offset: Int,
  _ length: Int
) -> gcd_data_t {
  let whole = unsafe bytes(of: data)
  let start = UInt(bitPattern: offset)
  let count = UInt(whole.count)
  guard start < count else { return unsafe gcdimpl_data_empty() }
  let taken = min(UInt(bitPattern: length), count - start)
  if taken == count { return unsafe retainedData(data) }
  return unsafe makeData(whole.subdata(in: Int(start)..<Int(start + taken)))
}

/// Calls a function with each region of a data object, in order, until it returns false.
@c @implementation
public func gcd_data_apply_f(
  _ data: gcd_data_t,
  _ context: UnsafeMutableRawPointer?,
  _ applier: @escaping gcd_data_applier_function_t
) -> Bool {
  let whole = unsafe bytes(of: data)
  for region in whole.regions {
    let object = DataObject(DataBuffer(region))
    let goesOn = withExtendedLifetime(object) {
      unsafe applier(context, borrowed(object), region.offset, region.start, region.count)
    }
    if !goesOn { return false }
  }
  return true
}

/// Returns the region that contains a location, and its offset; the empty object for a location
/// outside.
@c @implementation
public func gcd_data_copy_region(
  _ data: gcd_data_t,
  _ location: Int,
  _ offset: UnsafeMutablePointer<Int>
) -> gcd_data_t {
  let whole = unsafe bytes(of: data)
  guard location >= 0, location < whole.count else {
    unsafe offset.pointee = whole.count
    return unsafe gcdimpl_data_empty()
  }
  let region = whole.region(containing: location)
  unsafe offset.pointee = region.offset
  if region.count == whole.count { return unsafe retainedData(data) }
  return unsafe makeData(DataBuffer(region))
}
