public import Testing

/// How much a test run does: `scripts/test` or `scripts/test --full`.
public enum Tier: String, Sendable {
  /// Reduced counts; the whole run ends within ten minutes on two cores.
  case quick
  /// Full counts, as `Documentation/Internals/TESTING.md` lists them.
  case full

  /// The tier of this run, from `IOCHANNELS_TEST_TIER`; quick when it is not set.
  public static let current: Tier =
    Calls.environmentValue("IOCHANNELS_TEST_TIER").flatMap(Tier.init(rawValue:)) ?? .quick

  /// The factor of all time limits, from `IOCHANNELS_TEST_PATIENCE`, at least 1: an emulated
  /// processor takes many times longer.
  public static let patience: Int =
    max(Calls.environmentValue("IOCHANNELS_TEST_PATIENCE").flatMap { Int($0) } ?? 1, 1)

  /// Chooses a count for the tier of this run.
  public static func count(quick: Int, full: Int) -> Int {
    current == .full ? full : quick
  }
}

extension Trait where Self == TimeLimitTrait {
  /// A limit for what could hang.
  ///
  /// A test's time runs while it waits for a thread that others use, so in the full tier, where
  /// some take an hour, the limit is that of the run.
  public static func ends(withinMinutes minutes: Int) -> TimeLimitTrait {
    .timeLimit(.minutes(Tier.count(quick: minutes * Tier.patience, full: 240)))
  }
}
