/// A producer that reports the signals of one source.
final class SignalProducer: EventProducer {
  private let signal: Int32
  private let watch: SignalWatch

  init(_ signal: Int32, watch: SignalWatch = .shared) {
    self.signal = signal
    self.watch = watch
  }

  func start(for core: SourceCore) {
    do throws(SystemError) {
      try watch.add(core, for: signal)
      core.registered(nil)
    } catch {
      core.registered(error)
    }
  }

  func stop(for core: SourceCore) {
    watch.remove(core, for: signal)
    core.released()
  }
}
