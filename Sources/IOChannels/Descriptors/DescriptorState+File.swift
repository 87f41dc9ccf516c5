import IOChannelsSystem

/// The file of a descriptor, as far as it is open.
extension DescriptorState {
  /// The progress of opening and closing.
  enum File: Sendable {
    /// Not examined.
    case unknown
    /// A path that was examined.
    case unopened
    case opening
    case open(OpenFile)
    /// A path that could not be opened, which is final.
    case failed(SystemError)
    case closing
    case closed
  }

  /// Whether the descriptor or path was examined.
  var isKnown: Bool { if case .unknown = file { false } else { true } }

  /// The file, once it is open.
  var openFile: OpenFile? { if case .open(let file) = file { file } else { nil } }

  /// The descriptor, once the file is open.
  var descriptor: BorrowedDescriptor? { openFile?.descriptor }

  /// The error of opening the path.
  var openingError: SystemError? {
    if case .failed(let error) = file { error } else { nil }
  }

  /// Whether a path was examined, and not opened.
  var isUnopened: Bool {
    if case .unopened = file { true } else { false }
  }
}
