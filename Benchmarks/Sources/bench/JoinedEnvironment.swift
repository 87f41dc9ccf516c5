/// What results were measured with.
extension [String: String] {
  /// The same with the revision of another run added, which must be of the same machine and size.
  func joined(by other: Self) throws -> Self {
    let names = ["kernel", "processor", "processors", "size", "seed"]
    for name in names where self[name] != other[name] {
      throw CommandFailure(description: "what was measured before is of another \(name)")
    }
    var joined = self
    let revisions = [self, other].compactMap { $0["revision"] }
    if Set(revisions).count > 1 { joined["revision"] = revisions.joined(separator: ", then ") }
    return joined
  }
}
