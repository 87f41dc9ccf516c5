import SystemCalls
@safe open class RegionOwner: @unchecked Sendable {
  package let start: UnsafeMutableRawPointer
  package let capacity: Int
  package init(start: UnsafeMutableRawPointer, capacity: Int) { unsafe self.start = unsafe start; self.capacity = capacity }
}
final class ArrayOwner: RegionOwner, @unchecked Sendable {
  init(_ b: [UInt8]) { let p = UnsafeMutableRawPointer.allocate(byteCount: max(1, b.count), alignment: 16); unsafe p.copyMemory(from: b, byteCount: b.count); unsafe super.init(start: p, capacity: b.count) }
  deinit { unsafe start.deallocate() }
}
public struct DataBuffer: Sendable {
  public struct Region: Sendable { let owner: RegionOwner; let range: Range<Int>
    public var count: Int { range.count }
    package var start: UnsafeRawPointer { unsafe UnsafeRawPointer(owner.start + range.lowerBound) } }
  public var regions: [Region] = []
  public static let empty = DataBuffer()
  public init() {}
  public init(_ b: [UInt8]) { if !b.isEmpty { regions = [Region(owner: ArrayOwner(b), range: 0..<b.count)] } }
  package init(owner: RegionOwner, range: Range<Int>) { if !range.isEmpty { regions = [Region(owner: owner, range: range)] } }
  public var count: Int { regions.reduce(0) { $0 + $1.count } }
  public var isEmpty: Bool { regions.isEmpty }
  public mutating func append(_ o: DataBuffer) { regions += o.regions }
  public func subdata(in r: Range<Int>) -> DataBuffer {
    var out = DataBuffer(); var at = 0
    for g in regions { let lo = max(r.lowerBound, at), hi = min(r.upperBound, at + g.count)
      if lo < hi { out.regions.append(Region(owner: g.owner, range: g.range.lowerBound + lo - at ..< g.range.lowerBound + hi - at)) }
      at += g.count }
    return out }
  public var bytes: [UInt8] { regions.flatMap { g in unsafe Array(UnsafeRawBufferPointer(start: g.start, count: g.count)) } }
}
extension DataBuffer { package init(_ d: DataBuffer) { self = DataBuffer(d.bytes) } }

extension Array where Element == UInt8 { public init(_ d: DataBuffer) { self = d.bytes } }
