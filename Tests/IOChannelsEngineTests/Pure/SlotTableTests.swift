import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Slot table")
struct SlotTableTests {
  @Test("A name of a slot is never valid twice")
  func aNameIsNeverValidTwice() throws {
    var table = SlotTable<String>(capacity: 1)
    let inserted = table.insert("a")
    let first = try #require(inserted)
    let refused = table.insert("b")
    #expect(refused == nil, "the table is full")
    let removed = table.remove(first)
    #expect(removed == "a")
    let again = table.insert("b")
    let second = try #require(again)
    #expect(first.index == second.index)
    #expect(table[first] == nil)
    let late = table.remove(first)
    #expect(late == nil, "a late answer finds nothing")
    #expect(table[second] == "b")
  }

  @Test("Tokens carry the complete name")
  func tokensCarryTheWholeName() {
    let name = SlotID(index: 7, generation: 0x7fff_ffff)
    #expect(SlotID(token: name.token) == name)
    #expect(name.token >> 63 == 0, "the top bit is free for others")
  }

  @Test("A table agrees with a dictionary")
  func agreesWithADictionary() {
    var random = SeededGenerator()
    var table = SlotTable<Int>(capacity: 16)
    var model: [SlotID: Int] = [:]
    var gone: [SlotID] = []
    for step in 0..<10_000 {
      if random.chance(percent: 50) {
        let name = table.insert(step)
        #expect((name == nil) == (model.count == 16))
        if let name { model[name] = step }
      } else if let name = model.keys.sorted(by: { $0.token < $1.token }).first {
        let element = table.remove(name)
        #expect(element == model.removeValue(forKey: name))
        gone.append(name)
      }
      #expect(table.count == model.count)
      #expect(table.isFull == (model.count == 16))
    }
    #expect(gone.allSatisfy { table[$0] == nil })
    let rest = table.removeAll()
    #expect(rest.sorted() == model.values.sorted())
    #expect(table.count == 0)
  }
}
