import IOChannelsEngine

/// The environment variables that set limits of channels.
///
/// A program can check their values before it uses a channel.
package enum LimitSettings {
  /// The first variable with an invalid value, and that value; nil if all are valid.
  package static var invalid: (variable: String, value: String)? {
    for limit in EngineLimit.allCases {
      if let value = limit.invalidValue { return (limit.variable, value) }
    }
    return nil
  }
}
