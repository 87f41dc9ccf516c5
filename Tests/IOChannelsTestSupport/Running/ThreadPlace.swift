internal import CIOChannelsTestSupport

/// The place among others that the kernel gives a thread.
public struct ThreadPlace: Equatable, Sendable {
  /// From -20, the first place, to 19, the last.
  public var nice: Int32
  /// Whether its transfers wait until nobody else uses the disk.
  public var yieldsDisks: Bool

  /// Makes a place to compare with.
  public init(nice: Int32, yieldsDisks: Bool) {
    self.nice = nice
    self.yieldsDisks = yieldsDisks
  }

  /// The place of the calling thread.
  public static var current: ThreadPlace {
    ThreadPlace(nice: ct_thread_nice(), yieldsDisks: ct_thread_yields_disks() == 1)
  }
}
