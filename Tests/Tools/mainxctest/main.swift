// Awaits work of the main queue in tests of XCTest.

import QueueRuntime
import XCTest

final class MainQueueCase: XCTestCase {
  static var tests: [(String, (MainQueueCase) -> () throws -> Void)] {
    [
      ("testOnMainThread", testOnMainThread),
      ("testInTask", asyncTest(testInTask)),
    ]
  }

  func testOnMainThread() {
    let hasRun = expectation(description: "the work has run")
    WorkQueue.main.async {
      XCTAssertTrue(Thread.isMainThread)
      hasRun.fulfill()
    }
    wait(for: [hasRun], timeout: 60)
  }

  func testInTask() async {
    await withCheckedContinuation { answer in
      WorkQueue.main.async {
        WorkQueue.precondition(.onQueueAsBarrier(.main))
        answer.resume()
      }
    }
  }
}

XCTMain([testCase(MainQueueCase.tests)])
