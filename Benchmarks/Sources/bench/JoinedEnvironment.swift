import Foundation

/// What results were measured with.
extension [String: String] {
  /// The same with the revision of another run added, which must be of the same machine and size.
  func joined(by other: Self) throws -> Self {
    let names = ["kernel", "processor", "processors", "size", "seed"]
    for name in names where self[name] != other[name] {
      throw CommandFailure(description: "what was measured before is of another \(name)")
    }
    var joined = self
    let mark = ", then "
    let before = self["revision"]?.components(separatedBy: mark) ?? []
    if let now = other["revision"], before.last != now {
      joined["revision"] = (before + [now]).joined(separator: mark)
    }
    return joined
  }
}
