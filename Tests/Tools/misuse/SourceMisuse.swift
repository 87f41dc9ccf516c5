import EventSources
import IOChannels

private let adds = "A source takes add(data:) if its rule is adding."
private let unites = "A source takes or(data:) if its rule is a bitwise OR."
private let replaces = "A source takes replace(data:) if its rule is replacing."
private let pressure =
  "The mask of a memory pressure source has at least one level and no unknown ones."

extension Misuse {
  /// Data and masks that a source does not take.
  static let sources: [Misuse] = [
    .call("add-bits", adds, "S243") { EventSource.makeUserDataOrSource().add(data: 1) },
    .call("add-latest", adds, "S243") { EventSource.makeUserDataReplaceSource().add(data: 1) },
    .call("or-sum", unites, "S243") { EventSource.makeUserDataAddSource().or(data: 1) },
    .call("or-latest", unites, "S243") { EventSource.makeUserDataReplaceSource().or(data: 1) },
    .call("replace-sum", replaces, "S243") {
      EventSource.makeUserDataAddSource().replace(data: 1)
    },
    .call("replace-bits", replaces, "S243") {
      EventSource.makeUserDataOrSource().replace(data: 1)
    },
    .call("no-pressure", pressure, "S244") {
      _ = try EventSource.makeMemoryPressureSource(eventMask: [])
    },
    .call("unknown-pressure", pressure, "S244") {
      _ = try EventSource.makeMemoryPressureSource(eventMask: .init(rawValue: 8))
    },
  ]
}
