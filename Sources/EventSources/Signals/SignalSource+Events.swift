extension SignalSource {
  /// The numbers of signals since the previous element, each at least 1.
  public var events: SourceEvents<Int, SystemError> { SourceEvents(of: self) { Int(clamping: $0) } }

  /// Returns the numbers of signals that the process receives, as ``events`` of a new source.
  ///
  /// ```swift
  /// for try await _ in SignalSource.signals(SIGHUP) { reloadConfiguration() }
  /// ```
  ///
  /// - Precondition: The signal can have sources, as for ``init(signal:queue:)``.
  public static func signals(_ signal: Int32) -> SourceEvents<Int, SystemError> {
    SignalSource(signal: signal).events.owningSource()
  }
}
