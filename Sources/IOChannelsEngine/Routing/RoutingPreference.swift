/// Which way requests take, for experiments that compare the ways.
package enum RoutingPreference: String, Sendable, CaseIterable {
  /// The way that the routing table names.
  case table
  /// The ring, whatever the table says, for each request that it carries out as a plain call would
  /// (`RoutingTable.ringCarries`); threads where there is no ring.
  case ring
  /// Plain calls on the blocking pool.
  case pool
}
