/// A producer that reports the signals of one source.
final class SignalProducer: EventProducer {
  private let signal: Int32

  init(_ signal: Int32) { self.signal = signal }

  func start(for core: SourceCore) {
    do throws(SystemError) {
      try SignalWatch.shared.add(core, for: signal)
      core.registered(nil)
    } catch {
      core.registered(error)
    }
  }

  func stop(for core: SourceCore) {
    SignalWatch.shared.remove(core, for: signal)
    core.released()
  }
}
