import IOChannelsSystem

/// A path that a channel was made of, and what must hold of its file.
///
/// `@unchecked Sendable` because handlers hold it; all of a run is on one thread.
final class PathRecord: @unchecked Sendable {
  /// Why it cannot be opened, if the seed says so.
  let openingError: SystemError?
  /// Whether closing tells an error.
  let closingFails: Bool
  private var wasAsked = false
  /// The descriptor, while it is open.
  private(set) var descriptor: BorrowedDescriptor?

  init(openingError: SystemError?, closingFails: Bool) {
    self.openingError = openingError
    self.closingFails = closingFails
  }

  var isOpen: Bool { descriptor != nil }

  /// What operations and the cleanup are told, once it was found that it cannot be opened.
  var shownError: SystemError? { wasAsked ? openingError : nil }

  /// Notes that it is being opened.
  func opens(_ report: Report) {
    report.expect(!wasAsked, "I17: a path was opened twice")
    wasAsked = true
  }

  /// Notes that it is open.
  func opened(_ descriptor: BorrowedDescriptor) {
    self.descriptor = descriptor
  }

  /// Notes that it is closed.
  func closed(_ closed: BorrowedDescriptor, _ report: Report) {
    report.expect(descriptor == closed, "I17: another descriptor than that of the path was closed")
    descriptor = nil
  }
}

extension ChannelRecord {
  /// Notes that the path of the channel is being opened.
  func opens(_ report: Report) {
    report.expect(
      operations.contains { $0.length > 0 },
      "S5: a path was opened without an operation"
    )
    path?.opens(report)
    if operations.count(where: \.needsTransfers) > 1 { report.count(.waitedForOpening) }
  }

  /// Notes that the file of the channel's path is closed.
  func closes(_ closed: BorrowedDescriptor, _ report: Report) {
    report.expect(
      isClosed && operations.allSatisfy { $0.outstanding == 0 && $0.hasReturned },
      "I17: a path was closed before its channel was over"
    )
    path?.closed(closed, report)
  }
}
