import FileCopy
import IOChannelsTestSupport
import Synchronization
import Testing

/// Copies during which another process changes the destination.
extension CopyPlace {
  /// Copies `s` to `to`, and runs a script in the directory of the copy after the first events that
  /// fit.
  ///
  /// The script receives the last component of the event's path. `times` is the number of events
  /// after which it must have run.
  func contestedCopy(
    isAtomic: Bool = false,
    times: Int = 1,
    when fits: @escaping @Sendable (CopyEvent) -> Bool,
    _ script: @escaping @Sendable (_ name: String) -> String
  ) -> CopyReport {
    let begun = Atomic<Int>(0)
    let completed = Atomic<Int>(0)
    var options = CopyOptions.archive
    options.isAtomic = isAtomic
    options.observer = CopyObserver(observesOperations: true, observesResults: true) { event in
      guard fits(event), begun.add(1, ordering: .relaxed).newValue <= times else { return }
      let name: BytePath =
        switch event {
        case .copying(_, let destination, _): destination
        case .copied(let record): record.destination
        case .removed(let path): path
        default: ""
        }
      let last = name.description.split(separator: "/").last.map(String.init) ?? ""
      if (try? shell("cd to/s; \(script(last))")) != nil { completed.add(1, ordering: .relaxed) }
    }
    let report = copy("s", to: "to", options, jobs: 1)
    let count = completed.load(ordering: .relaxed)
    #expect(count == times)
    return report
  }
}
