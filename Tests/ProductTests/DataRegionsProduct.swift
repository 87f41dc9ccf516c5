import DataRegions

/// What a program can name that imports this product alone.
func useDataRegions() -> Int {
  var data = DataBuffer([1, 2, 3])
  data.append(DataBuffer([4]))
  return data.subdata(in: 1..<4).regions.reduce(0) { $0 + $1.count }
}
