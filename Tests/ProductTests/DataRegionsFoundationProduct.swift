import DataRegionsFoundation

/// What a program can name that imports this product alone.
func useDataRegionsFoundation() -> [UInt8] {
  var data = DataBuffer(Data([1, 2]))
  data.append(DataBuffer([3]))
  let bytes: some DataProtocol = data
  return bytes.regions.flatMap { [UInt8]($0) }
}
