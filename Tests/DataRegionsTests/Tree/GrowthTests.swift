import Dispatch
import Foundation
import IOChannelsTestSupport
import Testing

@testable import DataRegions

@Suite("Trees of very many regions")
struct GrowthTests {
  private let count = Tier.count(quick: 200_000, full: 10_000_000)

  private func height(_ bytes: DataBuffer) -> Int {
    if case .tree(let tree) = bytes.storage { tree.height } else { 0 }
  }

  @Test("Appends fill the nodes")
  func appendsFillTheirNodes() {
    let piece = DataBuffer([1])
    var bytes = DataBuffer()
    for _ in 0..<count { bytes.append(piece) }
    #expect(bytes.regions.count == count)
    var (full, levels) = (RegionTree.fanOut, 0)
    while full < count { (full, levels) = (full * RegionTree.fanOut, levels + 1) }
    #expect(height(bytes) == levels)
  }

  /// An append that copied a node would find the last leaf in another place each time.
  @Test("Appends in place copy no node")
  func appendsInPlaceCopyNoNode() {
    let piece = DataBuffer([1])
    let pair = piece + piece
    var bytes = pair
    var (place, moves) = (UInt(0), 0)
    for number in 0..<20_000 {
      bytes.append(number % 5 == 0 ? pair : piece)
      if number % 7 == 0 { bytes.append(spanOf: [1, 2]) }
      let now = bytes.lastLeafAddress
      if now != place { moves += 1 }
      place = now
    }
    // A leaf is allocated once, but the first one grows up to its size.
    #expect(moves <= bytes.regions.count / RegionTree.fanOut + 6)
  }

  /// The height bounds the recursion of growing, cutting, walking and letting go.
  @Test("A small stack is enough for a deep buffer")
  func aSmallStackIsEnough() async {
    await #expect(processExitsWith: .success) {
      let count = Tier.count(quick: 200_000, full: 10_000_000)
      let isDone = DispatchSemaphore(value: 0)
      let thread = Thread {
        var bytes = DataBuffer()
        let piece = DataBuffer([1])
        for _ in 0..<count { bytes.append(piece) }
        var rest = bytes.subdata(in: count / 3..<count)
        bytes = .empty
        precondition(rest.lastIndex(of: 1) == rest.count - 1)
        rest = .empty
        isDone.signal()
      }
      thread.stackSize = 64 << 10
      thread.start()
      isDone.wait()
    }
  }

  @Test("Sums of sums stay flat")
  func sumsOfSumsStayFlat() {
    let piece = DataBuffer([1])
    var bytes = DataBuffer()
    for _ in 0..<count / 20 { bytes = bytes + piece }
    for _ in 0..<count / 20 { bytes = piece + bytes }
    #expect(bytes.regions.count == count / 20 * 2)
    #expect(height(bytes) <= 7)
  }

  /// Whoever walked what lies before an offset here would not come back.
  @Test("No access walks through all regions to an offset", .timeLimit(.minutes(10)))
  func nothingWalksToAnOffset() {
    var bytes = singleBytes(2)
    for _ in 0..<40 { bytes += bytes }
    let middle = 1 << 40
    #expect(bytes.firstIndex(of: 1, in: middle..<bytes.count) == middle + 1)
    #expect(bytes.firstRange(of: [1, 0, 1], in: middle..<bytes.count) == middle + 1..<middle + 4)
    #expect(bytes.lastIndex(of: 1, in: 0..<middle) == middle - 1)
    #expect(bytes.lastRange(of: [1, 0, 1], in: 0..<middle) == middle - 3..<middle)
    #expect(bytes.lastIndex(of: 9, in: middle..<middle + 3) == nil)
    #expect(bytes[middle...].firstIndex(of: 1) == middle + 1)
    #expect(bytes[middle...].prefix(3) == bytes[..<middle].suffix(4).prefix(3))
    #expect(bytes.copied(room: 2, from: middle..<middle + 2).bytes == [0, 1])
    #expect(bytes.region(containing: middle).offset == middle)
    #expect(bytes.regions.index(containing: middle) == middle)
    #expect(bytes.regions[middle].offset == middle)
    #expect(bytes.regions[middle...].first?.offset == middle)
    #expect(bytes.lastIndex(of: 0) == bytes.count - 2)
    #expect(bytes.split(at: middle).tail.count == middle)
  }

  @Test("A doubled buffer shares its nodes")
  func doublingSharesItsNodes() {
    var bytes = singleBytes(2)
    for _ in 0..<40 { bytes += bytes }
    #expect(bytes.count == 1 << 41)
    #expect(bytes[1 << 40] == 0 && bytes[1 << 40 + 1] == 1)
    let middle = bytes.subdata(in: (1 << 40) - 3..<(1 << 40) + 3)
    #expect([UInt8](middle) == [1, 0, 1, 0, 1, 0])
    #expect(height(middle) == 0)
  }

  @Test("Cuts lower the tree")
  func cutsLowerTheTree() {
    var bytes = singleBytes(40_000)
    while bytes.count > 1 {
      bytes = bytes.subdata(in: (bytes.count + 2) / 3..<bytes.count)
      guard case .tree(let tree) = bytes.storage else { continue }
      #expect(tree.brokenInvariant == nil)
      if bytes.count <= RegionTree.minimum { #expect(tree.height == 0) }
    }
  }

  /// Prepending leaves nodes that are half full, so that mending a cut merges nodes into one.
  @Test("Every cut keeps the nodes large")
  func everyCutKeepsNodesLarge() {
    let piece = DataBuffer([1])
    let whole = (0..<1_200).reduce(into: DataBuffer()) { bytes, _ in bytes = piece + bytes }
    for lower in 0..<whole.count - 1 {
      guard case .tree(let tree) = whole.subdata(in: lower..<whole.count).storage else { continue }
      #expect(tree.brokenInvariant == nil, "cut at \(lower)")
    }
  }
}
