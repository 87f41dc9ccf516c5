import DispatchInterop

/// The same bytes in a buffer and in the reference's data.
struct Pair {
  var ours = DataBuffer.empty
  var theirs = DispatchData.empty

  /// Whether both are divided in the same way; raw appends may fill up our last region.
  var hasSameRegions = true

  var count: Int { ours.count }

  /// Bytes that were copied into one region of each.
  init(copying bytes: [UInt8] = []) {
    unsafe bytes.withUnsafeBytes {
      unsafe (ours, theirs) = (DataBuffer(bytes: $0), DispatchData(bytes: $0))
    }
  }

  /// Memory of its own for each, whose ends are counted.
  init(showing bytes: [UInt8], on queue: DispatchQueue, by ends: Ends) {
    ours = .counted(bytes, by: ends)
    theirs = .counted(bytes, on: queue, by: ends)
  }

  mutating func append(_ other: Pair) {
    ours.append(other.ours)
    theirs.append(other.theirs)
    hasSameRegions = hasSameRegions && other.hasSameRegions
  }

  mutating func append(raw bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes {
      unsafe ours.append($0)
      unsafe theirs.append($0)
    }
    hasSameRegions = false
  }

  func part(_ range: Range<Int>) -> Pair {
    var part = self
    part.ours = ours.subdata(in: range)
    part.theirs = theirs.subdata(in: range)
    return part
  }

  /// Each made anew of the other one.
  func exchanged(on queue: DispatchQueue) -> Pair {
    var pair = self
    pair.ours = DataBuffer(theirs)
    pair.theirs = DispatchData(ours, releasingOn: queue)
    return pair
  }
}

/// A region as a walk shows it.
struct Step: Equatable {
  let offset: Int
  let bytes: [UInt8]
}

extension DataBuffer {
  /// What a walk shows that ends after `limit` regions.
  func steps(_ limit: Int) -> [Step] {
    var steps: [Step] = []
    unsafe enumerateBytes { bytes, offset, stop in
      unsafe steps.append(Step(offset: offset, bytes: Array(bytes)))
      stop = steps.count == limit
    }
    return steps
  }

  /// The region that holds a byte.
  func region(at location: Int) -> Step {
    let region = regions[regions.index(containing: location)]
    return Step(offset: region.offset, bytes: [UInt8](region))
  }

  /// What is copied into `room` bytes that were 99 before.
  func copied(room: Int, from range: Range<Int>?) -> (count: Int, bytes: [UInt8]) {
    var target = [UInt8](repeating: 99, count: room)
    let count = unsafe target.withUnsafeMutableBytes { unsafe copyBytes(to: $0, from: range) }
    return (count, target)
  }

  /// The bytes in one place.
  var mapped: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension DispatchData {
  /// What a walk shows that ends after `limit` regions.
  func steps(_ limit: Int) -> [Step] {
    var steps: [Step] = []
    unsafe enumerateBytes { bytes, offset, stop in
      unsafe steps.append(Step(offset: offset, bytes: Array(bytes)))
      stop = steps.count == limit
    }
    return steps
  }

  /// The region that holds a byte.
  func region(at location: Int) -> Step {
    let (data, offset) = region(location: location)
    return Step(offset: offset, bytes: data.bytes)
  }

  /// What is copied into `room` bytes that were 99 before.
  func copied(room: Int, from range: Range<Int>?) -> (count: Int, bytes: [UInt8]) {
    var target = [UInt8](repeating: 99, count: room)
    let count = unsafe target.withUnsafeMutableBufferPointer {
      unsafe copyBytes(to: $0, from: range)
    }
    return (count, target)
  }

  /// What the form without an answer copies, where the range fits in.
  func copiedSilently(room: Int, from range: Range<Int>) -> [UInt8] {
    var target = [UInt8](repeating: 99, count: room)
    unsafe target.withUnsafeMutableBytes { unsafe copyBytes(to: $0, from: range) }
    return target
  }

  /// What the form with a count copies, where it fits in.
  func copiedSilently(room: Int, first count: Int) -> [UInt8] {
    var target = [UInt8](repeating: 99, count: room)
    unsafe target.withUnsafeMutableBytes { unsafe copyBytes(to: $0, count: count) }
    return target
  }

  /// The bytes in one place; the reference stops where there are none.
  var mapped: [UInt8] {
    if isEmpty { return [] }
    return unsafe withUnsafeBytes { (start: UnsafePointer<UInt8>) in
      unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
  }
}
