import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Pools as task executors")
struct TaskExecutorTests {
  @Test("Tasks that prefer a pool run on its threads, and their children too (S104)")
  func tasksRunOnThePool() async {
    let pool = WorkerPool(name: "tasks", width: 2, maximumThreadCount: 2)
    await withTaskExecutorPreference(pool) {
      #expect(currentThreadName.hasPrefix("tasks-"))
      await withTaskGroup(of: String.self) { group in
        for _ in 0..<100 {
          group.addTask {
            await Task.yield()
            return currentThreadName
          }
        }
        for await name in group { #expect(name.hasPrefix("tasks-")) }
      }
    }
    #expect(pool.threadCount <= 6)
  }

  @Test(
    "The priority of a task is the class of its work (S104)",
    arguments: [
      (TaskPriority.background, "prio-bg-0", Int32(15)),
      (.utility, "prio-utility-0", 2),
      (.medium, "prio-0", 0),
      (.userInitiated, "prio-high-0", -2),
    ]
  )
  func prioritiesAreClasses(priority: TaskPriority, name: String, steps: Int32) async {
    // Seen on a thread: the one that this line runs on may be anybody's.
    let pool = WorkerPool(name: "prio", width: 1, maximumThreadCount: 1)
    let base = await Task.detached(executorPreference: pool, priority: .medium) {
      ThreadPlace.current.nice
    }.value
    // Whoever waits for a task raises its priority, so this one tells by itself.
    let (stream, told) = AsyncStream<(String, Int32)>.makeStream()
    Task.detached(executorPreference: pool, priority: priority) {
      told.yield((currentThreadName, ThreadPlace.current.nice))
      told.finish()
    }
    for await (seen, nice) in stream {
      #expect(seen == name)
      // Only a privilege permits a lower value.
      #expect(nice == max(-20, min(19, base + steps)) || steps < 0 && nice == base)
    }
  }

  @Test("Every priority has a class")
  func everyPriorityHasAClass() {
    typealias Class = WorkQueue.QoS.QoSClass
    #expect(Class(taskPriority: 0) == .default)
    #expect(Class(taskPriority: TaskPriority.low.rawValue) == .utility)
    #expect(Class(taskPriority: TaskPriority.medium.rawValue) == .default)
    #expect(Class(taskPriority: TaskPriority.high.rawValue) == .userInitiated)
    #expect(Class(taskPriority: 0x21) == .userInteractive)
    let classes = (1...UInt8.max).map { Class(taskPriority: $0) }
    #expect(classes == classes.sorted())
    #expect(Set(classes).count == 5)
  }

  @Test("A task keeps the pool that it runs on (S104)")
  func aTaskKeepsItsPool() async {
    for number in 0..<100 {
      let task = Task.detached(
        executorPreference: WorkerPool(name: "kept", width: 1, maximumThreadCount: 1)
      ) {
        await Task.yield()
        return number
      }
      let value = await task.value
      #expect(value == number)
    }
  }
}
