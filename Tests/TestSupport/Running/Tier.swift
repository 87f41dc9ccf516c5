/// How much a test run does: `scripts/test` or `scripts/test --full`.
public enum Tier: String, Sendable {
  /// Reduced counts; the whole run ends within ten minutes on two cores.
  case quick
  /// Full counts, as `Documentation/TESTING.md` lists them.
  case full

  /// The tier of this run, from `IOCHANNELS_TEST_TIER`; quick when it is not set.
  public static let current: Tier =
    Calls.environmentValue("IOCHANNELS_TEST_TIER").flatMap(Tier.init(rawValue:)) ?? .quick

  /// Chooses a count for the tier of this run.
  public static func count(quick: Int, full: Int) -> Int {
    current == .full ? full : quick
  }
}
