import Dispatch
import IOChannelsTestSupport
import Testing

@testable import EventSources

/// Dispatch's data source.
private final class DispatchScriptedSource: ScriptedSource {
  private let queue = DispatchQueue(label: "script")
  private let source: any DispatchSourceProtocol

  init(_ kind: SourceScript.Kind) {
    switch kind {
    case .add: source = DispatchSource.makeUserDataAddSource(queue: queue)
    case .or: source = DispatchSource.makeUserDataOrSource(queue: queue)
    case .replace: source = DispatchSource.makeUserDataReplaceSource(queue: queue)
    }
  }

  // One class has all three protocols, and one call merges by the source's own rule.
  func merge(_ data: UInt) { (source as? any DispatchSourceUserDataAdd)?.add(data: data) }
  func activate() { source.activate() }
  func suspend() { source.suspend() }
  func resume() { source.resume() }
  func cancel() { source.cancel() }
  func setHandler(_ handler: (@Sendable () -> Void)?) { source.setEventHandler(handler: handler) }

  func setRegistrationHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setRegistrationHandler(handler: handler)
  }

  func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setCancelHandler(handler: handler)
  }

  var data: UInt { source.data }
  var isCancelled: Bool { source.isCancelled }
  func onQueue(_ body: () -> Void) { queue.sync(execute: body) }
}

/// Our data source.
private final class OwnScriptedSource: ScriptedSource {
  private let queue = WorkQueue(label: "script")
  private let source: DataSource

  init(_ kind: SourceScript.Kind) {
    let merging: DataSource.Merging =
      switch kind {
      case .add: .adding
      case .or: .or()
      case .replace: .replacing
      }
    source = DataSource(merging: merging, queue: queue)
  }

  func merge(_ data: UInt) { source.merge(data) }
  func activate() { source.activate() }
  func suspend() { source.suspend() }
  func resume() { source.resume() }
  func cancel() { source.cancel() }
  func setHandler(_ handler: (@Sendable () -> Void)?) { source.setEventHandler(handler: handler) }

  func setRegistrationHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setRegistrationHandler(handler: handler)
  }

  func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setCancelHandler(handler: handler)
  }

  var data: UInt { source.data }
  var isCancelled: Bool { source.isCancelled }
  func onQueue(_ body: () -> Void) { queue.sync(execute: body) }
}

@Suite("Data sources beside those of Dispatch")
struct SourceOracleTests {
  @Test("Random scripts give the same handler calls as in Dispatch")
  func scripts() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 500, full: 10_000) {
      let script = SourceScript(&random)
      let ours = ScriptRun(OwnScriptedSource(script.kind), script).run()
      let theirs = ScriptRun(DispatchScriptedSource(script.kind), script).run()
      #expect(ours == theirs, "\(script)")
      if ours != theirs { return }
    }
  }
}
