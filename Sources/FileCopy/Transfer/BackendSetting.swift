import IOChannelsEngine
import IOChannelsSystem

/// The environment variable that selects the backend of channels, for programs that check it early.
package enum BackendSetting {
  package static let variable = BackendPreference.variable
  /// The valid values in the order of documentation.
  package static var values: [String] { BackendPreference.allCases.map(\.rawValue) }

  /// The value of the variable if it is not a valid one, otherwise nil.
  package static var invalidValue: String? {
    guard let value = Environment.value(of: variable) else { return nil }
    return BackendPreference(setting: value) == nil ? value : nil
  }
}
