import Measure

/// All tables of the settings.
struct SettingsReport: KeptReport {
  static let name = "settings"

  var environment: [String: String]
  var tables: [SettingsTable] = []

  init(environment: [String: String]) {
    self.environment = environment
  }

  func markdown() -> String {
    var text = "# Settings\n\n" + markdownTable(of: environment)
    text += """

      What the work of a row takes under each setting: the median of the rounds, the lowest and the
      highest. In bold what is within a tenth of the least.

      """
    return text + tables.map { $0.markdown() }.joined()
  }
}
