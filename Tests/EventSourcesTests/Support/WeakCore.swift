@testable import EventSources

/// A source's core, which goes when nothing else keeps it.
struct WeakCore: Sendable {
  weak let core: SourceCore?

  init(_ core: SourceCore) { self.core = core }
}
