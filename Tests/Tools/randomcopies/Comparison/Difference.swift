/// The lines that only one of two programs caused.
struct Difference {
  private var found: [Observation.Part: [String]] = [:]

  /// Creates an empty difference.
  init() {}

  /// Compares what can be seen of the reference and of the copier.
  init(reference: Observation, tested: Observation) {
    for part in Observation.Part.allCases {
      let changes = tested[part].difference(from: reference[part])
      if changes.isEmpty { continue }
      found[part] = changes.map { change in
        switch change {
        case .insert(_, let line, _): "\(part), here: \(line)"
        case .remove(_, let line, _): "\(part), cp: \(line)"
        }
      }
    }
  }

  /// Whether there is no difference.
  var isEmpty: Bool { found.isEmpty }

  /// The differences, part by part.
  var lines: [String] { Observation.Part.allCases.flatMap { found[$0] ?? [] } }

  /// Removes the differences of some parts.
  ///
  /// - Returns: Whether there were any.
  mutating func remove(_ parts: Set<Observation.Part>) -> Bool {
    let before = found.count
    for part in parts { found[part] = nil }
    return found.count < before
  }
}
