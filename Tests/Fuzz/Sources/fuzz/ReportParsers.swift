import Foundation

@testable import EventSources

/// The parsers of what the kernel and the service manager report to event sources.
enum ReportParsers {
  /// Parses bytes as each kind of report and checks the results.
  static func check(_ bytes: [UInt8]) {
    checkNotifications(bytes)
    checkMessages(bytes)
    checkBase64(bytes)
  }

  private static func checkNotifications(_ bytes: [UInt8]) {
    let all = Array(FileNotifications(bytes, count: bytes.count))
    require(16 * all.count <= bytes.count, "a report has 16 bytes at least")
    let half = Array(FileNotifications(bytes, count: bytes.count / 2))
    require(all.starts(with: half), "later bytes change no earlier report")
    let beyond = Array(FileNotifications(bytes, count: .max))
    require(beyond == all, "there are no reports beyond the bytes")
  }

  private static func checkMessages(_ bytes: [UInt8]) {
    let all = ConnectorMessage.messages(in: bytes[...])
    require(16 * all.count <= bytes.count, "a message has 16 bytes at least")
    let moved = ConnectorMessage.messages(in: ([7] + bytes).dropFirst())
    require(moved == all, "the place of the bytes changes no message")
  }

  private static func checkBase64(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let decoded = Base64.decoding(text)
    if let known = Data(base64Encoded: text) {
      require(decoded == Array(known), "what Foundation decodes is decoded")
    }
  }
}
