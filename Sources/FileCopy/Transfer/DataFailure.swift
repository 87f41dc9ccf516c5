import IOChannelsSystem

/// The error of a transfer between two files.
struct DataFailure: Error {
  /// The step of a transfer that failed.
  enum Side {
    case reading
    case writing
    case cloning
    case copying
    case resizing
    /// No step failed: the copy is being stopped.
    case stopping
  }

  var side: Side
  var error: SystemError
}

/// Makes a system call, and throws its error as one of a step of the transfer.
func attempt<Value: ~Copyable>(
  _ side: DataFailure.Side,
  _ call: @autoclosure () throws(SystemError) -> Value
) throws(DataFailure) -> Value {
  do throws(SystemError) {
    return try call()
  } catch {
    throw DataFailure(side: side, error: error)
  }
}

extension DataFailure {
  /// Creates the error of a channel's handler; nil for the number 0.
  init?(side: Side, number: Int32) {
    guard let error = SystemError(errno: number) else { return nil }
    self.init(side: side, error: error)
  }
}

extension CopyError {
  /// Creates the problem of a failed transfer, with the path of the side that failed.
  init(_ failure: DataFailure, _ item: CopyItem) {
    let (source, destination) = (item.sourcePath, item.destinationPath)
    switch failure.side {
    case .reading: self.init(.read, source, failure.error)
    case .writing: self.init(.write, destination, failure.error)
    case .cloning: self.init(.clone, destination, other: source, failure.error)
    case .copying: self.init(.copyBytes, source, other: destination, failure.error)
    case .resizing: self.init(.setSize, destination, failure.error)
    case .stopping: self.init(.stopped, source)
    }
  }
}
