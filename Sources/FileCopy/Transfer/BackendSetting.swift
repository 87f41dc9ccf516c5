import IOChannelsEngine
import IOChannelsSystem

/// The environment variable that selects the backend of channels.
///
/// A program can check its value before it uses a channel.
package enum BackendSetting {
  package static let variable = BackendPreference.variable
  /// The valid values, in the order of the documentation.
  package static var values: [String] { BackendPreference.allCases.map(\.rawValue) }

  /// The value of the variable if it is invalid; otherwise nil.
  package static var invalidValue: String? {
    guard let value = Environment.value(of: variable) else { return nil }
    return BackendPreference(setting: value) == nil ? value : nil
  }
}
