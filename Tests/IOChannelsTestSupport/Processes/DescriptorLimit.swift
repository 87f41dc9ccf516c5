internal import CIOChannelsTestSupport

/// Changes how many descriptors this process may have open; for tests that run in a child.
///
/// - Returns: The former number.
public func limitDescriptors(to count: Int) throws -> Int {
  let former = ct_limit_descriptors(Int64(count))
  if former < 0 { throw TestFailure("the limit on descriptors cannot be set to \(count)") }
  return Int(former)
}
