import Foundation

/// What an experiment found, as JSON for programs and for later runs to join, and as Markdown for
/// people.
protocol KeptReport: Codable {
  /// What its files are called, without `.json` and `.md`.
  static var name: String { get }
  /// What it was measured with.
  var environment: [String: String] { get set }

  init(environment: [String: String])

  func markdown() -> String
}

extension KeptReport {
  /// The report that is kept in a directory, for what is measured now to join, or an empty one.
  static func begun(
    _ environment: [String: String],
    joining directory: String?
  ) throws -> Self {
    guard let directory else { return Self(environment: environment) }
    let file = URL(filePath: "\(directory)/\(name).json")
    var kept = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    kept.environment = try kept.environment.joined(by: environment, acrossProcessors: true)
    return kept
  }

  /// Keeps it in a directory, if there is one.
  func write(to directory: String?) throws {
    guard let directory else { return }
    let encoder = JSONEncoder()
    // One line, as some have two hundred rows with two dozen numbers each.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: URL(filePath: "\(directory)/\(Self.name).json"))
    try Data(markdown().utf8).write(to: URL(filePath: "\(directory)/\(Self.name).md"))
  }
}

extension Array {
  /// Puts an element in the place of the one of the same name, or at the end.
  mutating func keep(_ element: Element, by name: (Element) -> String) {
    if let place = firstIndex(where: { name($0) == name(element) }) {
      self[place] = element
    } else {
      append(element)
    }
  }
}
