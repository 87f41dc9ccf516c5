import DispatchInterop

/// What a program can name that imports this product alone.
func useDispatchInterop() -> Int {
  let queue = DispatchQueue(label: "queue")
  let data: DispatchData = DispatchData(DataBuffer([1, 2, 3]), releasingOn: queue)
  return DataBuffer(data).count
}
