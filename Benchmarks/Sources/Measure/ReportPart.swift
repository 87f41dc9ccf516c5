/// A part of a report with a table and a chart of its own.
public enum ReportPart: String, CaseIterable, Sendable {
  case channels
  case queues
  case copies

  /// The heading of its table and chart.
  public var title: String {
    switch self {
    case .channels: "Channels and requests"
    case .queues: "Queues, timers and buffers"
    case .copies: "Copies"
    }
  }

  /// Creates the part that a row belongs to, by the number of the goal in its name.
  public init(of id: String) {
    let number = Int(id.dropFirst().prefix(while: \.isNumber)) ?? 0
    self =
      switch number {
      case ...8, 23, 24: .channels
      case ...12: .queues
      default: .copies
      }
  }
}

extension Report {
  /// Returns the rows of a part, measured in the same place.
  public func part(_ part: ReportPart) -> Report {
    filtered { ReportPart(of: $0) == part }
  }
}
