import Testing

@testable import FileCopy

/// Who has to close a directory for another one.
@Suite("Slots for open directories")
struct DescriptorSlotsTests {
  @Test("Slots are lent until there are none, then a holder is asked to release one")
  func evicting() {
    var slots = DescriptorSlots<String>(count: 2)
    var places: [String: Int] = [:]
    for name in ["a", "b"] {
      slots.insert(name) {
        places[$0] = $1
      } evict: { _ in
        false
      }
    }
    #expect(Set(places.values) == [0, 1])
    var asked: [String] = []
    slots.insert("c") {
      places[$0] = $1
    } evict: { old in
      asked.append(old)
      return old == "b"
    }
    #expect(asked.last == "b")
    #expect(places["c"] == places["b"])
  }

  @Test("A refusal by all leaves the newcomer without a slot, after two rounds")
  func refusing() {
    var slots = DescriptorSlots<Int>(count: 3)
    for name in 0..<3 {
      slots.insert(name) { _, _ in
      } evict: { _ in
        false
      }
    }
    var asked = 0
    var place: Int? = 99
    slots.insert(3) {
      place = $1
    } evict: { _ in
      asked += 1
      return false
    }
    #expect(asked == 6)
    #expect(place == nil)
  }

  @Test("A slot that was released is lent again")
  func removing() {
    var slots = DescriptorSlots<Int>(count: 1)
    slots.insert(0) { _, _ in
    } evict: { _ in
      false
    }
    slots.remove(from: 0)
    var place: Int?
    slots.insert(1) {
      place = $1
    } evict: { _ in
      false
    }
    #expect(place == 0)
  }
}
