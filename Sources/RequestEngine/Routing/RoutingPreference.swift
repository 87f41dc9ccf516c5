/// Which way requests take, for experiments that compare the ways.
package enum RoutingPreference: String, Sendable, CaseIterable {
  /// The way that the routing table names.
  case table
  /// The ring, whatever the table says, but for openings; threads where there is no ring.
  case ring
  /// Plain calls on the blocking pool.
  case pool
}
