import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Data formats")
struct DataFormatTests {
  private static let bases: [DataFormat] = [.none, .base64, .base32, .base32hex]
  private static let texts: [DataFormat] = [.utf8, .utf16LittleEndian, .utf16BigEndian]

  private func isAllowed(_ source: DataFormat, _ target: DataFormat) -> Bool {
    Self.bases.contains(source) && Self.bases.contains(target)
      || (Self.texts + [.anyUTF]).contains(source) && Self.texts.contains(target)
  }

  @Test("Other pairs of formats are an error (S61)", arguments: DataFormat.allCases)
  func unrelatedFormats(_ source: DataFormat) {
    for target in DataFormat.allCases {
      let error = formatError { _ = try DataBuffer.empty.transformed(from: source, to: target) }
      let expected = DataFormatError(.unrelatedFormats, offset: 0)
      #expect(error == (isAllowed(source, target) ? nil : expected), "\(source) \(target)")
    }
  }

  @Test("An empty buffer is the result of itself (S61)", arguments: DataFormat.allCases)
  func emptyBuffers(_ source: DataFormat) throws {
    for target in DataFormat.allCases where isAllowed(source, target) {
      #expect(try DataBuffer.empty.transformed(from: source, to: target).isEmpty)
    }
  }

  @Test("Bytes stay as they are")
  func bytesStayAsTheyAre() throws {
    let plain = buffer([1, 2], [3])
    let same = try plain.transformed(from: .none, to: .none)
    #expect(same.regions.map(\.address) == plain.regions.map(\.address))
  }

  @Test("Base codings go into each other", arguments: bases)
  func baseCodings(_ source: DataFormat) throws {
    let plain = DataBuffer(pattern(40))
    let first = try plain.transformed(from: .none, to: source)
    for target in Self.bases {
      let expected = try plain.transformed(from: .none, to: target)
      #expect(try first.transformed(from: source, to: target) == expected)
    }
  }

  @Test("Texts are transformed as dispatch does", arguments: texts + [.anyUTF])
  func textsOfDispatch(_ source: DataFormat) throws {
    try #require(DispatchTransform.isReachable)
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 200, full: 10_000) {
      let (encoding, start) = random.start(of: source)
      // The reference mangles marks and characters that lie in several regions.
      let texts = (0..<3).map { _ in "xy" + random.text(characters: 12) }
      var parts = texts.map { $0.bytes(as: encoding) }
      parts[0] = start + parts[0]
      for target in Self.texts {
        let ours = try parts.reduce(into: DataBuffer()) { $0.append(DataBuffer($1)) }
          .transformed(from: source, to: target)
        let theirs = DispatchTransform.apply(parts, source, target)
        #expect([UInt8](ours) == theirs, "to \(target), seed \(random.seed)")
      }
    }
  }

  /// The other alphabet of base 32 is left out, which is never read there.
  @Test("The pairs of formats are those of Dispatch")
  func pairsOfDispatchAreOurs() throws {
    try #require(DispatchTransform.isReachable)
    for source in DataFormat.allCases where source != .base32hex {
      for target in DataFormat.allCases {
        let theirs = DispatchTransform.apply([Array("IFBEGRCF".utf8)], source, target)
        #expect((theirs != nil) == isAllowed(source, target), "\(source) \(target)")
      }
    }
  }

  @Test("Errors name the reason and the offset")
  func errorsSayWhatAndWhere() {
    for reason in DataFormatError.Reason.allCases {
      let text = DataFormatError(reason, offset: 42).description
      #expect(text.hasSuffix(" at byte 42"))
      #expect(text.count > 20)
    }
    let texts = Set(DataFormatError.Reason.allCases.map(\.description))
    #expect(texts.count == DataFormatError.Reason.allCases.count)
  }
}

extension SeededGenerator {
  /// An encoding that text in a format may have, and a mark that may stand in front.
  fileprivate mutating func start(of format: DataFormat) -> (TextEncoding, [UInt8]) {
    let isMarked = chance(percent: 50)
    switch format {
    case .utf16LittleEndian:
      return (.utf16LittleEndian, isMarked ? TextEncoding.utf16LittleEndian.mark : [])
    case .utf16BigEndian:
      return (.utf16BigEndian, isMarked ? TextEncoding.utf16BigEndian.mark : [])
    case .anyUTF:
      let encoding = TextEncoding.allCases[number(in: 0..<3)]
      return (encoding, encoding.prefix)
    default:
      return (.utf8, isMarked ? TextEncoding.utf8.mark : [])
    }
  }
}
