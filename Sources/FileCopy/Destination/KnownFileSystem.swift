import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The facts that the files of a copy have shown about one file system, so that each operation is
/// tried once.
///
/// A refusal that concerns one file or name changes nothing. Owners, groups and access lists are no
/// such facts, since other users may change them.
final class KnownFileSystem: Sendable {
  /// The answers so far, nil until an operation was tried.
  struct Answers {
    /// Whether unnamed files can be created and linked.
    var links: Bool?
    /// Whether files can be renamed, or the error of the attempt.
    var renaming: Result<Void, SystemError>?
    /// Whether the mode of a file can be changed after its creation.
    var setsModes: Bool?
    /// The permission bits that were set with success.
    var modes: [UInt32] = []
    fileprivate var kind: FileSystemKind?
  }

  let device: UInt64
  private let known = BargingLock(Answers())

  init(device: UInt64) {
    self.device = device
  }

  /// Calls a closure that reads or changes the answers.
  @discardableResult
  func withAnswers<Value: Sendable>(_ body: (inout Answers) -> Value) -> Value {
    known.withLock { body(&$0) }
  }

  /// Returns the kind of the file system, which contains an open file.
  func kind(of file: BorrowedDescriptor) -> FileSystemKind {
    if let kind = known.withLock({ $0.kind }) { return kind }
    let kind = FileSystemKind(of: file)
    known.withLock { $0.kind = kind }
    return kind
  }
}
