/// The formats of numbers in text output.
enum Figures {
  private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// Formats a number of bytes with about three digits and a unit: `17 B`, `1.2 KiB`, `340 MiB`.
  static func bytes(_ count: Int64) -> String {
    var value = Double(max(count, 0))
    var unit = 0
    while value >= 1023.5 && unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    if unit == 0 { return "\(count) B" }
    // A value below ten has one digit after the decimal point.
    let tenths = Int((value * 10).rounded())
    let text = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    return "\(text) \(units[unit])"
  }

  /// Formats a number with thousands separators.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0 && index % 3 == 0 && digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// Formats a number with its noun: `1 file`, `1,200 files`, `2 directories`.
  static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// Formats a number with its noun, without separators: `1 file`, `1200 files`.
  static func plainCount(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// Formats a duration as minutes and seconds, with hours if needed: `0:07`, `2:03:04`.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 359_999_999).rounded(.down))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0
      ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
  }

  /// Formats seconds with one digit after the decimal point, or three below ten seconds.
  static func seconds(_ seconds: Double) -> String {
    let digits = seconds < 10 ? 1000 : 10
    let whole = Int((seconds * Double(digits)).rounded())
    let rest = String(whole % digits)
    let zeros = String(repeating: "0", count: String(digits).count - 1 - rest.count)
    return "\(whole / digits).\(zeros)\(rest)"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double {
    let parts = components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }
}

extension Int64 {
  /// Creates the integral part of a number, clamped to the range of the type; 0 for NaN.
  init(saturating value: Double) {
    self = Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
  }
}
