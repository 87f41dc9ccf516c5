import IOChannelsTestSupport

/// A random program for a data source.
///
/// Its batches run as items of the source's queue, so that no handler runs inside of one. The queue
/// is drained between them.
struct SourceScript: CustomStringConvertible {
  enum Kind: CaseIterable {
    case add, or, replace
  }

  enum Step {
    case merge(UInt)
    case activate, suspend, resume, cancel
    case setEventHandler, clearEventHandler, setRegistrationHandler
  }

  let kind: Kind
  let batches: [[Step]]
  /// What the event handler does in its first calls.
  let handlerSteps: [Step]

  init(_ random: inout SeededGenerator) {
    kind = Kind.allCases[random.number(in: 0..<3)]
    batches = (0..<random.number(in: 1..<6)).map { _ in
      (0..<random.number(in: 1..<6)).map { _ in Self.step(&random) }
    }
    handlerSteps = (0..<random.number(in: 0..<4)).map { _ in
      switch random.number(in: 0..<6) {
      case 0: .cancel
      case 1: .suspend
      case 2: .setEventHandler
      default: .merge(UInt(random.number(in: 0..<9)))
      }
    }
  }

  private static func step(_ random: inout SeededGenerator) -> Step {
    switch random.number(in: 0..<20) {
    case 0..<9: .merge(UInt(random.number(in: 0..<9)))
    case 9..<12: .activate
    case 12..<14: .suspend
    case 14..<17: .resume
    case 17: random.chance(percent: 30) ? .cancel : .setEventHandler
    case 18: .clearEventHandler
    default: .setRegistrationHandler
    }
  }

  var description: String { "\(kind) \(batches) handler: \(handlerSteps)" }
}

/// A data source of one of the two libraries.
protocol ScriptedSource: AnyObject {
  func merge(_ data: UInt)
  func activate()
  func suspend()
  func resume()
  func cancel()
  func setHandler(_ handler: (@Sendable () -> Void)?)
  func setRegistrationHandler(_ handler: @escaping @Sendable () -> Void)
  func setCancelHandler(_ handler: @escaping @Sendable () -> Void)
  var data: UInt { get }
  var isCancelled: Bool { get }
  /// Runs a closure on the source's queue.
  func onQueue(_ body: () -> Void)
}

/// Runs a script with a source, and records its handlers.
final class ScriptRun: @unchecked Sendable {
  /// A call of a handler, or the end of a batch.
  enum Entry: Equatable {
    case registration
    case event(UInt, isCancelled: Bool)
    case cancellation
    case endOfBatch
  }

  // Only the source's queue and the thread that waits for it use these.
  private var trace: [Entry] = []
  private var calls = 0
  private var suspensions = 0
  private var isActive = false
  private let source: any ScriptedSource
  private let script: SourceScript

  init(_ source: any ScriptedSource, _ script: SourceScript) {
    self.source = source
    self.script = script
  }

  /// Runs the script and returns the handler calls.
  func run() -> [Entry] {
    source.setCancelHandler { self.trace.append(.cancellation) }
    source.setHandler { self.called() }
    for batch in script.batches {
      source.onQueue { for step in batch { self.take(step) } }
      drain()
      trace.append(.endOfBatch)
    }
    source.onQueue {
      while self.suspensions > 0 { self.take(.resume) }
      self.take(.activate)
    }
    drain()
    // The handler may have suspended the source once more.
    source.onQueue { while self.suspensions > 0 { self.take(.resume) } }
    drain()
    trace.append(.endOfBatch)
    source.onQueue { self.source.cancel() }
    drain()
    source.onQueue { while self.suspensions > 0 { self.take(.resume) } }
    drain()
    return trace
  }

  private func drain() {
    for _ in 0..<12 { source.onQueue {} }
  }

  private func called() {
    trace.append(.event(source.data, isCancelled: source.isCancelled))
    if calls < script.handlerSteps.count { take(script.handlerSteps[calls]) }
    calls += 1
  }

  private func take(_ step: SourceScript.Step) {
    switch step {
    case .merge(let data): source.merge(data)
    case .activate:
      isActive = true
      source.activate()
    case .suspend:
      suspensions += 1
      source.suspend()
    case .resume:
      if suspensions > 0 {
        suspensions -= 1
        source.resume()
      } else if !isActive {
        isActive = true
        source.resume()
      }
    case .cancel: source.cancel()
    case .setEventHandler: source.setHandler { self.called() }
    case .clearEventHandler: source.setHandler(nil)
    case .setRegistrationHandler:
      source.setRegistrationHandler { self.trace.append(.registration) }
    }
  }
}
