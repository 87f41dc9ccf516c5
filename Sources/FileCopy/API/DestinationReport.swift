/// The results of a copy for one of several destinations.
public struct DestinationReport: Sendable {
  /// The path of the destination, as it was given.
  public let path: BytePath
  /// The report about this destination alone, which has no destinations itself.
  public let report: CopyReport

  init(_ path: BytePath, _ report: CopyReport) {
    self.path = path
    self.report = report
  }
}
