import Foundation

/// The ratios of a report as bars on a logarithmic scale, whose middle line is the other tool.
///
/// A bar to the right is a win, to the left a loss; a thin line shows the spread of the pairs, a
/// notch the goal. Beside it stands what both sides took, with the unit. A bar beyond a hundred
/// ends in a point there, so that one row leaves the others room; a goal beyond it has no notch.
public struct Chart {
  private let report: Report
  private let title: String
  private let scale: LogarithmicScale

  private static let rowHeight = 50.0
  private static let top = 74.0
  private static let barLeft = 580.0
  private static let barWidth = 500.0
  private static let width = 1310.0
  private static let footerLine = 16.0
  private static let winColor = "#2a6fbb"
  private static let lossColor = "#c2571a"

  /// Draws the measured rows of a report, in their order.
  public init(_ report: Report, title: String = "Beside the rivals") {
    self.report = report
    self.title = title
    let figures = report.rows.flatMap { [$0.ratio, $0.goal] + $0.spread }.filter { $0 > 0 }
    scale = LogarithmicScale(
      covering: (figures.min() ?? 1)...(figures.max() ?? 1),
      left: Self.barLeft,
      width: Self.barWidth
    )
  }

  /// Returns the drawing as an SVG document.
  public func svg() -> String {
    let bottom = Self.top + Double(report.rows.count) * Self.rowHeight
    let fileSystems = report.environment["file systems"].map { ["file systems: \($0)"] } ?? []
    let places = (report.places + fileSystems).joined(separator: " · ")
    let footer = wrapped(places, to: 200)
    let height = bottom + 64 + Double(footer.count) * Self.footerLine
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height))" \
      font-family="sans-serif" font-size="13">
      <rect width="100%" height="100%" fill="white"/>
      <text x="16" y="26" font-size="17" font-weight="bold">\(title): how many times \
      less time, or less of what is counted</text>
      <text x="16" y="48" fill="#555">median of the pairs; thin line: lowest to highest pair; \
      notch: the goal; 1 is the rival; a point: beyond \(Int(LogarithmicScale.limit))</text>

      """
    for tick in scale.ticks { text += line(at: tick, to: bottom) }
    for (index, row) in report.rows.enumerated() {
      text += bar(row, y: Self.top + Double(index) * Self.rowHeight)
    }
    text += """
      <text x="\(figure(Self.barLeft + Self.barWidth / 2))" y="\(figure(bottom + 36))" \
      text-anchor="middle" fill="#555">what the rival takes over what ours takes, logarithmic</text>

      """
    for (index, line) in footer.enumerated() {
      let y = bottom + 62 + Double(index) * Self.footerLine
      text += label(line, x: 16, y: y, size: 11, color: "#555")
    }
    return text + "</svg>\n"
  }

  private func line(at tick: Double, to bottom: Double) -> String {
    let x = scale.x(of: tick)
    let color = tick == 1 ? "#333" : "#ddd"
    return """
      <line x1="\(figure(x))" y1="\(Self.top - 6)" x2="\(figure(x))" y2="\(bottom)" \
      stroke="\(color)"/>
      <text x="\(figure(x))" y="\(bottom + 18)" text-anchor="middle" fill="#555">\
      \(tick.formatted())×</text>

      """
  }

  private func bar(_ row: Report.Line, y: Double) -> String {
    let middle = y + Self.rowHeight / 2
    let (one, end) = (scale.x(of: 1), scale.x(of: row.ratio))
    let color = row.ratio >= 1 ? Self.winColor : Self.lossColor
    let spread = row.spread.map(scale.x)
    var text = """
      <rect x="\(figure(min(one, end)))" y="\(middle - 8)" width="\(figure(abs(end - one)))" \
      height="16" fill="\(color)"/>

      """
    if row.goal <= LogarithmicScale.limit {
      let goal = figure(scale.x(of: row.goal))
      text += """
        <line x1="\(goal)" y1="\(middle - 12)" x2="\(goal)" y2="\(middle + 12)" stroke="#111" \
        stroke-width="2"/>

        """
    }
    if row.ratio > LogarithmicScale.limit {
      text += """
        <path d="M\(figure(end)) \(middle - 8) l8 8 l-8 8 z" fill="\(color)"/>

        """
    }
    if let low = spread.first, let high = spread.last {
      text += """
        <line x1="\(figure(low))" y1="\(middle)" x2="\(figure(high))" y2="\(middle)" \
        stroke="#111" stroke-opacity="0.6"/>

        """
    }
    return text + words(row, at: middle) + figures(row, at: middle, color: color)
  }

  /// Draws the description of a row, to the left of its bar.
  private func words(_ row: Report.Line, at middle: Double) -> String {
    let rival = escaped(shortened("beside \(row.rival)", to: 74 - row.id.count))
    var text = """
      <text x="16" y="\(middle - 9)" fill="#111">\(escaped(row.id)) \
      <tspan fill="#555">\(rival)</tspan></text>

      """
    for (index, line) in wrapped(row.work, to: 92).prefix(3).enumerated() {
      let y = middle + 5 + Double(index) * 13
      text += label(line, x: 16, y: y, size: 11, color: "#777")
    }
    return text
  }

  /// Draws the result of a row, to the right of its bar.
  private func figures(_ row: Report.Line, at middle: Double, color: String) -> String {
    let right = Self.barLeft + Self.barWidth + 12
    let verdict = row.met ? "met" : "missed"
    let ratio = "\(row.shownRatio)×, goal \(Report.short(row.goal)) \(verdict)"
    let sides = [row.ours, row.theirs].map { quantity(median($0), row.unit) }
      .joined(separator: ", rival ")
    return label(ratio, x: right, y: middle - 2, color: color)
      + label(sides, x: right, y: middle + 12, size: 11, color: "#777")
  }

  private func label(
    _ text: String,
    x: Double,
    y: Double,
    size: Int = 13,
    color: String
  ) -> String {
    let place = "x=\"\(figure(x))\" y=\"\(y)\""
    return "<text \(place) font-size=\"\(size)\" fill=\"\(color)\">\(escaped(text))</text>\n"
  }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }

  /// Returns a text as lines, cut between words.
  private func wrapped(_ text: String, to length: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= length {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }

  /// Returns a text without its middle if it is too long: similar rows differ at their ends.
  private func shortened(_ text: String, to length: Int) -> String {
    let end = length / 2
    return text.count <= length ? text : text.prefix(length - 1 - end) + "…" + text.suffix(end)
  }

  /// Returns a number with its unit, seconds with a readable prefix.
  private func quantity(_ value: Double, _ unit: String) -> String {
    guard unit == "s" else { return "\(Report.short(value)) \(unit)" }
    if value >= 1 { return "\(Report.short(value)) s" }
    if value >= 1e-3 { return "\(Report.short(value * 1e3)) ms" }
    return "\(Report.short(value * 1e6)) µs"
  }

  private func figure(_ value: Double) -> String { String(format: "%.1f", value) }
}

/// Places on a line for numbers of which those with one ratio have one distance.
struct LogarithmicScale {
  private let exponents: ClosedRange<Double>
  private let left: Double
  private let width: Double

  /// The largest number that has a place of its own.
  static let limit = 100.0

  /// Covers a range up to the limit, and 1.
  init(covering range: ClosedRange<Double>, left: Double, width: Double) {
    let highest = min(max(range.upperBound, 2), Self.limit)
    exponents = log10(min(range.lowerBound, 0.5))...log10(highest)
    self.left = left
    self.width = width
  }

  /// Returns the place of a number. One beyond the scale is placed at its end.
  func x(of number: Double) -> Double {
    let exponent = number > 0 ? log10(number) : exponents.lowerBound
    let inside = min(max(exponent, exponents.lowerBound), exponents.upperBound)
    let length = exponents.upperBound - exponents.lowerBound
    return left + width * (inside - exponents.lowerBound) / length
  }

  /// Round numbers that are covered, with room for their labels between them.
  var ticks: [Double] {
    let powers = (-4...2).map { pow(10, Double($0)) }
    return (powers + [0.05, 0.2, 0.5, 2, 5, 20, 50]).reduce(into: []) { ticks, tick in
      let isApart = ticks.allSatisfy { abs(x(of: $0) - x(of: tick)) >= 36 }
      if exponents.contains(log10(tick)), isApart { ticks.append(tick) }
    }
  }
}
