/// A preference between ring and threads, for experiments that compare them.
package enum RoutingPreference: String, Sendable, CaseIterable {
  /// The route in the routing table.
  case table
  /// The ring for each request that it can carry out (`RoutingTable.ringCarries`), whatever the
  /// table states; threads if there is no ring.
  case ring
  /// Plain calls on the blocking pool.
  case pool
}
