import DataRegions
import Testing

@Suite("Lifetime of memory")
struct LifetimeTests {
  @Test("Memory is released once, after the last part")
  func memoryIsGivenBackOnceAfterTheLastPart() {
    let tracked = TrackedMemory()
    var whole = tracked.region(0, Array(0..<10))
    var part = whole.subdata(in: 3..<6)
    var partOfPart = part.subdata(in: 1..<2)
    whole = .empty
    part = .empty
    #expect(tracked.returns.isEmpty)
    #expect([UInt8](partOfPart) == [4])
    partOfPart = .empty
    #expect(tracked.returns == [0: 1])
  }

  @Test("A part keeps only the memory of its bytes")
  func aPartKeepsOnlyWhatItShows() {
    let tracked = TrackedMemory()
    let count = 3000
    var whole = DataBuffer()
    for number in 0..<count { whole.append(tracked.region(number, [1, 2])) }
    var part = whole.subdata(in: 2001..<2101)
    whole = .empty
    #expect(tracked.returnedNumbers == Set(0..<count).subtracting(1000...1050))
    #expect(part.count == 100)
    part = .empty
    #expect(tracked.returns == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 1) }))
  }

  @Test("A queue releases the memory of removed bytes")
  func aQueueGivesBackWhatWasTaken() {
    let tracked = TrackedMemory()
    var queue = DataBuffer()
    for number in 0..<2000 {
      queue.append(tracked.region(number, [1, 2, 3]))
      if queue.count > 30 { queue = queue.subdata(in: 3..<queue.count) }
      #expect(tracked.returnedNumbers.count == max(0, number - 9))
    }
  }

  @Test("A released sum keeps no memory")
  func aDroppedSumKeepsNothing() {
    let tracked = TrackedMemory()
    let kept = singleBytes(100)
    var sum = kept + tracked.region(0, [1])
    #expect(sum.count == 101)
    sum = .empty
    #expect(tracked.returns == [0: 1])
    #expect(kept.count == 100)
  }

  @Test("Empty memory is released at once")
  func emptyMemoryIsGivenBackAtOnce() {
    let tracked = TrackedMemory()
    let empty = tracked.region(0, [])
    #expect(tracked.returns == [0: 1])
    #expect(empty.isEmpty)
  }

  @Test("Parts may be released on many threads")
  func partsMayBeDroppedOnManyThreads() async {
    let tracked = TrackedMemory()
    let count = 500
    var whole = DataBuffer()
    for number in 0..<count { whole.append(tracked.region(number, [1, 2])) }
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask { [whole] in
          var mine = whole.subdata(in: task..<whole.count - task)
          for number in 0..<200 { mine.append(DataBuffer([UInt8(number)])) }
          #expect(mine.count == count * 2 - task * 2 + 200)
          #expect([UInt8](mine.subdata(in: mine.count - 200..<mine.count)) == Array(0..<200))
        }
      }
    }
    #expect(tracked.returns.isEmpty)
    #expect(whole.count == count * 2)
    whole = .empty
    #expect(tracked.returns == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 1) }))
  }

  @Test("An owner is retained and released")
  func anOwnerIsKeptAndLetGo() {
    var (shown, ends) = partOfAnOwner(4..<8)
    #expect([UInt8](shown) == [0, 0, 0, 0])
    #expect(ends.count == 0)
    shown = .empty
    #expect(ends.count == 1)
  }

  @Test("An empty part of an owner keeps nothing")
  func anEmptyPartOfAnOwnerKeepsNothing() {
    let (shown, ends) = partOfAnOwner(5..<5)
    #expect(shown.isEmpty)
    #expect(ends.count == 1)
  }

  private func partOfAnOwner(_ range: Range<Int>) -> (DataBuffer, CountedOwner.Ends) {
    let owner = CountedOwner(capacity: 16)
    let shown = DataBuffer(owner: owner, range: range)
    #expect(shown.regions.map(\.address) == (range.isEmpty ? [] : [owner.address + 4]))
    return (shown, owner.ends)
  }
}
