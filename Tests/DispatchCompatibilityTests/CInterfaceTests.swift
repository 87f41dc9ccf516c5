import IOChannelsTestSupport
import Testing

/// Each row of `gcdtool` is a part of a C program, which runs in a process of its own.
@Suite("The C interface")
struct CInterfaceTests {
  @Test("Dispatch and the C interface run in one process (S300)")
  func bothLibraries() throws {
    try expectDone("both_libraries")
  }

  @Test("Objects have references, contexts and finalizers (S301, S302)", arguments: CRows.objects)
  func objects(row: String) throws {
    try expectDone(row)
  }

  @Test("Queues run functions and blocks (S303, S304)", arguments: CRows.queues)
  func queues(row: String) throws {
    try expectDone(row)
  }

  @Test(
    "An overcommit queue has a thread for each item, and a width changes a queue (S305)",
    arguments: CRows.widths
  )
  func widths(row: String) throws {
    try expectDone(row)
  }

  @Test("Addresses are keys of values with destructors (S306)", arguments: CRows.specifics)
  func specifics(row: String) throws {
    try expectDone(row)
  }

  @Test("A predicate runs its function once (S307)")
  func once() throws {
    try expectDone("once")
  }

  @Test("A number is a time of one of three clocks (S308)", arguments: CRows.times)
  func times(row: String) throws {
    try expectDone(row)
  }

  @Test("An entered group keeps itself, and waits return numbers (S309)", arguments: CRows.groups)
  func groups(row: String) throws {
    try expectDone(row)
  }

  @Test(
    "A block that is an item can be submitted, called and copied (S310)",
    arguments: CRows.items
  )
  func items(row: String) throws {
    try expectDone(row)
  }

  @Test("Data objects have one empty object and bounded ranges (S311)", arguments: CRows.data)
  func data(row: String) throws {
    try expectDone(row)
  }

  @Test("Channels have the handler calls of Dispatch (S312)", arguments: CRows.channels)
  func channels(row: String) throws {
    try expectDone(row)
  }

  @Test("Sources have the handler calls of Dispatch (S313)", arguments: CRows.sources)
  func sources(row: String) throws {
    try expectDone(row)
  }

  @Test(
    "Timers, descriptors, signals, processes and files give events (S313)",
    arguments: CRows.events
  )
  func events(row: String) throws {
    try expectDone(row)
  }

  @Test(
    "The message of a misuse begins with the name of the function (S314)",
    arguments: CRows.misuse
  )
  func misuse(row: String, message: String) throws {
    let outcome = try run(
      [BuiltProgram.gcdtool.path, row],
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    )
    #expect(!outcome.succeeded)
    #expect(outcome.errorText.contains(message), "\(outcome)")
  }

  @Test("The tests run every row of the program")
  func everyRow() throws {
    let tested = CRows.all.flatMap { $0 }
    let rows = try runSuccessfully([BuiltProgram.gcdtool.path, "--list"]).split(separator: "\n")
    #expect(rows.map(String.init).sorted() == tested.sorted())
  }

  private func expectDone(_ row: String) throws {
    #expect(try runSuccessfully([BuiltProgram.gcdtool.path, row]) == "done\n")
  }
}
