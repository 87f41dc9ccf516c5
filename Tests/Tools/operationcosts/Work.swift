/// Something that is done many times, with what one time may take.
struct Work {
  let name: String
  let bounds: Costs
  let count: Int
  /// Does it so many times and returns when all is over.
  let perform: (_ count: Int) throws -> Void

  init(
    _ name: String,
    atMost allocations: Double,
    _ retains: Double,
    _ sleeps: Double,
    _ calls: Double,
    count: Int = 20_000,
    _ perform: @escaping (_ count: Int) throws -> Void
  ) {
    self.name = name
    bounds = Costs(allocations: allocations, retains: retains, sleeps: sleeps, calls: calls)
    self.count = count
    self.perform = perform
  }
}
