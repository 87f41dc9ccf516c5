import DataRegions

extension BufferProgram {
  /// What is written is read again; what is read would be written so; parts make no difference.
  mutating func requireCodings(_ index: Int) {
    let coding = BaseCoding.allCases[script.number(upTo: BaseCoding.allCases.count - 1)]
    let buffer = buffers[index]
    let encoded = buffer.encoded(as: coding)
    require((try? encoded.decoded(from: coding)) == buffer, "\(coding) is read as something else")
    let (head, tail) = cut(buffer)
    var encoder = BaseEncoder(coding)
    let sum = encoder.encode(head) + encoder.encode(tail) + encoder.finish()
    require(sum == encoded, "\(coding) of parts differs")

    let symbols = Self.spoiled(encoded, by: &script)
    let whole = Result { () throws(DataFormatError) in try symbols.decoded(from: coding) }
    if case .success(let bytes) = whole {
      let kept = symbols.filter { ![0x0a, 0x09, 0x20].contains($0) }
      require(bytes.encoded(as: coding).elementsEqual(kept), "\(coding) is read too kindly")
    }
    let (first, second) = cut(symbols)
    var decoder = BaseDecoder(coding)
    let parts = Result { () throws(DataFormatError) in
      try decoder.decode(first) + decoder.decode(second) + decoder.finish()
    }
    require(whole == parts, "\(coding) read in parts: \(parts), as a whole: \(whole)")
  }

  /// Strings are those of the standard library; parts make no difference; text comes back.
  mutating func requireText(_ index: Int) {
    let (buffer, model) = (buffers[index], models[index])
    let string = String(validating: model, as: UTF8.self)
    require((try? String(validating: buffer)) == string, "another string")
    require(buffer.isValidUTF8 == (string != nil), "another opinion about UTF-8")
    let repaired = String(decoding: model, as: UTF8.self)
    require(Array(String(repairing: buffer).utf8) == Array(repaired.utf8), "another repair")

    let source: TextEncoding? = [nil, .utf8, .utf16LittleEndian, .utf16BigEndian][
      script.number(upTo: 3)
    ]
    let target = TextEncoding.allCases[script.number(upTo: TextEncoding.allCases.count - 1)]
    let whole = Result { () throws(DataFormatError) in
      try buffer.transcoded(from: source, to: target)
    }
    let (first, second) = cut(buffer)
    var transcoder = TextTranscoder(from: source, to: target)
    let parts = Result { () throws(DataFormatError) in
      let text = try transcoder.transcode(first) + transcoder.transcode(second)
      try transcoder.finish()
      return text
    }
    require(whole == parts, "text in parts: \(parts), as a whole: \(whole)")
    let wanted = model.transcoded(from: source, to: target)
    require((try? whole.get()).map { [UInt8]($0) } == wanted, "other text")
  }

  private mutating func cut(_ buffer: DataBuffer) -> (DataBuffer, DataBuffer) {
    let (head, tail) = buffer.split(at: script.number(upTo: buffer.count))
    return (head, tail)
  }

  /// Symbols with a run of them replaced, so that decoding meets what nearly fits.
  private static func spoiled(_ symbols: DataBuffer, by script: inout Script) -> DataBuffer {
    let range = script.range(in: symbols.count)
    let (head, tail) = (symbols[..<range.lowerBound], symbols[range.upperBound...])
    return DataBuffer(head) + DataBuffer(script.bytes(upTo: 8)) + DataBuffer(tail)
  }
}
