import DataRegions

/// What a program can name that imports this product alone.
func useDataRegions() -> Int {
  var data = DataBuffer([1, 2, 3])
  data.append(DataBuffer([4]))
  data.append(contentsOf: "line\n".utf8)
  return data.subdata(in: 1..<4).regions.reduce(0) { $0 + $1.count }
}

/// Errors and descriptors of mappings come with the product.
func mapWithDataRegions(_ file: borrowing OwnedDescriptor) throws(SystemError) -> DataBuffer {
  try DataBuffer(mapping: file)
}
