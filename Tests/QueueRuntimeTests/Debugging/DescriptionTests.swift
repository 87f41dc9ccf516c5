import Glibc
import QueueRuntime
import Testing

@Suite("Descriptions of queues")
struct DescriptionTests {
  @Test("A description has label, kind, state and waiting items")
  func tellsLabelKindStateAndWhatWaits() {
    let queue = WorkQueue(label: "told", qos: .utility)
    queue.suspend()
    queue.suspend()
    for _ in 0..<3 { queue.async {} }
    let text = queue.debugDescription
    #expect(text.hasPrefix("WorkQueue(told: serial, utility, suspended 2 times, at rest, "))
    #expect(text.contains("3 of 3 pending"))
    queue.resume()
    queue.resume()
    queue.sync {}
    #expect(queue.sync { queue.debugDescription }.contains("busy"))
    let inactive = WorkQueue(label: "new", attributes: [.concurrent, .initiallyInactive])
    #expect(inactive.debugDescription.hasPrefix("WorkQueue(new: concurrent, unspecified, inactive"))
    inactive.activate()
  }

  @Test("A description counts submitted and started items")
  func countsWhatWasSubmittedAndBegun() {
    for attributes in [WorkQueue.Attributes(), .concurrent] {
      let queue = WorkQueue(label: "counted", attributes: attributes)
      let group = WorkGroup()
      for _ in 0..<100 { queue.async(group: group) {} }
      group.wait()
      #expect(queue.statistics().submittedCount == 100)
      #expect(queue.statistics().begunCount == 100)
      #expect(queue.statistics().pendingCount == 0)
      // A thread that looks for more just now may have what comes in its hands, counted nowhere.
      while queue.statistics().isBusy { sched_yield() }
      queue.suspend()
      queue.async(group: group) {}
      #expect(queue.statistics().submittedCount == 101)
      #expect(queue.statistics().suspensionCount == 1)
      queue.resume()
      group.wait()
      #expect(queue.statistics().begunCount == 101)
    }
  }

  @Test("A dump has one line for each target")
  func dumpsALineForEachTarget() {
    let root = WorkQueue(label: "root")
    let middle = WorkQueue(label: "middle", target: root)
    let leaf = WorkQueue(label: "leaf", target: middle)
    var text = ""
    leaf.dump(to: &text)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("WorkQueue(leaf:"))
    #expect(lines[1].hasPrefix("  on WorkQueue(middle:"))
    #expect(lines[2].hasPrefix("    on WorkQueue(root:"))
  }
}
