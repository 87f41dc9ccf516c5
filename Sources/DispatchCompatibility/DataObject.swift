internal import CDispatchABI
internal import DataRegions
internal import IOChannelsLocks
internal import QueueRuntime

/// The data object of a C program: a buffer of at least one byte, with a context.
///
/// The empty object is a constant of C.
final class DataObject: ContextHolder {
  /// The bytes.
  let buffer: DataBuffer
  let attachment = ColdState(ObjectContext())

  init(_ buffer: DataBuffer) { self.buffer = buffer }

  /// Creates a data object whose finalizer runs on a queue, nil for the default global one.
  convenience init(_ buffer: DataBuffer, target: WorkQueue?) {
    self.init(buffer)
    if target != nil { setTarget(queue: target) }
  }

  deinit { disposeOfContext() }
}

/// Returns the bytes of a data object.
func bytes(of data: gcd_data_t) -> DataBuffer {
  if unsafe data == gcdimpl_data_empty() { return DataBuffer() }
  return unsafe with(data, as: DataObject.self) { $0.buffer }
}

/// Returns a new data object, with a reference for the C program.
func makeData(_ buffer: DataBuffer, target: WorkQueue? = nil) -> gcd_data_t {
  if buffer.isEmpty { return unsafe gcdimpl_data_empty() }
  return unsafe retained(DataObject(buffer, target: target))
}

/// Returns the same data object with one more reference.
func retainedData(_ data: gcd_data_t) -> gcd_data_t {
  if unsafe data == gcdimpl_data_empty() { return unsafe data }
  return unsafe Unmanaged<DataObject>.fromOpaque(data).retain().toOpaque()
}

/// Calls a function with a data object, which exists for the call unless the function retains it.
func withData<Result>(_ buffer: DataBuffer?, _ body: (gcd_data_t?) -> Result) -> Result {
  guard let buffer else { return body(nil) }
  if buffer.isEmpty { return unsafe body(gcdimpl_data_empty()) }
  let object = DataObject(buffer)
  return withExtendedLifetime(object) { unsafe body(borrowed(object)) }
}
