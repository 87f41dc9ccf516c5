import Testing

@testable import FileCopy

/// The limit of removed entries, without a file system.
@Suite("Limit of removals")
struct RemovalAllowanceTests {
  @Test("Requests are granted up to the limit, and none after the first refusal (T60)")
  func requests() {
    var allowance = RemovalAllowance(limit: 5)
    let decisions = [3, 2, 0, 1, 0, 1].map { allowance.request($0) }
    #expect(
      decisions == [
        .granted, .granted, .granted, .firstRefused(after: 5), .refused, .refused,
      ]
    )
    var none = RemovalAllowance(limit: 0)
    let refused = [0, 1].map { none.request($0) }
    #expect(refused == [.granted, .firstRefused(after: 0)])
    var unlimited = RemovalAllowance(limit: nil)
    let granted = [Int.max, Int.max].map { unlimited.request($0) }
    #expect(granted == [.granted, .granted])
  }
}
