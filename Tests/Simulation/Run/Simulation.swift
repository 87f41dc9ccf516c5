import IOChannels
import IOChannelsEngine
import IOChannelsSystem

/// A run of real channels on a simulated kernel, on one thread, all of it decided by one seed.
///
/// `@unchecked Sendable` because handlers hold it; all of a run is on one thread.
package final class Simulation: @unchecked Sendable {
  /// A run that does not come to rest after so many steps for each call hangs; several times what
  /// the slowest of many thousand seeds needs.
  private static let stepsToRest = 1_000

  /// Held by every handler, which shows whether channels let go of them.
  final class HandlerToken: Sendable {}

  let profile: Profile
  let surroundings: Surroundings
  let report = Report()
  let kernel: SimulatedKernel
  let log: RequestLog
  let backend: SimulatedBackend
  let timers: SimulatedTimers
  let engine: Engine
  var files: [SimulatedFile] = []
  var channels: [ChannelRecord] = []
  var calls = 0
  /// The number of the last step, of those after the seed's own.
  private var lastStep: Int
  var token: HandlerToken? = HandlerToken()
  /// The numbers of the step that is under way.
  let random: StepGenerator
  /// Which kind of step is taken, where not chance decides.
  private let priorities: StepPriorities?

  private convenience init(seed: UInt64, _ order: Order, in surroundings: Surroundings) {
    let random = StepGenerator(seed: seed, step: -1)
    let profile = Profile(random)
    var priorities: StepPriorities?
    if case .priorities(let changes) = order {
      priorities = StepPriorities(seed: seed, steps: profile.steps, changes: changes)
    }
    self.init(profile, random, files: random, priorities, in: surroundings)
  }

  init(
    _ profile: Profile,
    _ random: StepGenerator,
    files: StepGenerator,
    _ priorities: StepPriorities? = nil,
    in surroundings: Surroundings
  ) {
    self.surroundings = surroundings
    self.random = random
    self.profile = profile
    self.priorities = priorities
    lastStep = profile.steps
    kernel = SimulatedKernel(profile: profile, report: report)
    log = RequestLog(sizes: profile.sizes, report: report)
    backend = SimulatedBackend(kernel: kernel, log: log, report: report, random: random)
    timers = SimulatedTimers(kernel: kernel, report: report)
    engine = Engine(
      simulatedBy: backend,
      queue: surroundings.globalQueue,
      sizes: profile.sizes,
      buffers: surroundings.buffers,
      budget: MemoryBudget(limit: profile.budget),
      timers: timers.timers
    )
    for (index, file) in surroundings.files.enumerated() { makeFile(index, file, files) }
    backend.othersGoOn = { [unowned self] in othersGoOn($0, isGranted: $1) }
  }

  private func makeFile(_ index: Int, _ file: Surroundings.OpenFile, _ random: StepGenerator) {
    let some = random.number(below: random.chance(percent: 20) ? 48 << 10 : 12 << 10)
    let count = profile.program == nil ? some : SmallProgram.fileSize
    let start = random.number(below: 1 << 16)
    let made = SimulatedFile(
      index: index,
      isPollable: file.isPollable,
      isAppending: file.isAppending,
      content: [UInt8](Pattern.bytes[start..<start + count])
    )
    if profile.faults.contains(.badRange), !file.isPollable, random.chance(percent: 50) {
      let bad = random.number(below: 16 << 10)
      made.badRange = bad..<bad + 512
    }
    files.append(made)
    made.start = profile.program == nil ? Int64(random.number(below: 4 << 10)) : 0
    if !file.isPollable { _ = try? file.descriptor.setPosition(made.start) }
  }

  /// Runs a seed.
  ///
  /// - Parameters:
  ///   - seed: What decides everything.
  ///   - steps: The steps that are taken; all when `nil`.
  ///   - order: Who decides between steps that may be taken.
  ///   - surroundings: The open files and queues, which a run that fails leaves unusable.
  /// - Returns: What it met, and whether everything held.
  package static func run(
    seed: UInt64,
    steps: [Int]? = nil,
    order: Order = .chance,
    in surroundings: Surroundings
  ) -> Outcome {
    Simulation(seed: seed, order, in: surroundings).outcome { simulation in
      for _ in 0..<3 { simulation.makeChannel() }
      if let steps {
        for step in steps where !simulation.takeStep(step) { return }
      } else {
        for step in 0..<simulation.profile.steps where !simulation.takeStep(step) { return }
      }
      simulation.finish()
    }
  }

  /// Runs to the end and tells what came of it.
  func outcome(_ run: (Simulation) -> Void) -> Outcome {
    surroundings.refusal.decide = { [unowned self] in refusesMemory() }
    defer {
      surroundings.refusal.decide = { false }
      // What knows each other would stay for ever.
      for file in files { file.streams = [] }
      for channel in channels { channel.shared.forget() }
      log.forgetChannels()
    }
    run(self)
    return Outcome(
      failure: report.failure,
      counts: report.counts,
      operations: report.operations,
      channels: channels.count,
      steps: profile.steps
    )
  }

  /// What decides which of the steps that may be taken is taken next.
  package enum Order: Hashable, Sendable {
    /// Each kind of step has the weight of the seed.
    case chance
    /// The kind of step with the highest priority, of which some get the lowest during the run.
    case priorities(changes: Int)
  }

  /// What came of a run.
  package struct Outcome: Equatable, Sendable {
    /// The first invariant that did not hold.
    package let failure: String?
    /// How often each mark was met, in the order of all marks.
    package let counts: [Int]
    package let operations: Int
    package let channels: Int
    /// The steps that the seed has.
    package let steps: Int
  }
}

// MARK: - Steps

extension Simulation {
  /// Takes one step and looks whether everything still holds.
  func takeStep(_ step: Int) -> Bool {
    random.begin(step)
    priorities?.begin(step)
    act()
    backend.check()
    return report.failure == nil
  }

  private func act() {
    let user = calls < profile.calls ? profile.userWeight : 0
    let ring = backend.canTurn ? profile.ringWeight : 0
    let due = kernel.hasDue ? profile.kernelWeight : 0
    let later = kernel.hasLater ? 1 : 0
    let thread = backend.hasThreadWork ? profile.kernelWeight : 0
    let job = surroundings.jobs.isEmpty ? 0 : profile.jobWeight
    let clock = timers.isEmpty ? 0 : 1
    // The last two are always there, so priorities, which they would starve the others with, leave
    // them out.
    let weights = [user, ring, due, later, thread, job, profile.idleWeight, clock]
    switch priorities?.first(of: weights) ?? byChance(weights) {
    case 0: call()
    case 1: backend.turn(random)
    case 2: backend.complete(random)
    case 3: backend.tick(random)
    case 4: backend.runThread(random)
    case 5: surroundings.jobs.runOne(random)
    case 7: timers.step(random)
    // The ring's thread is woken for nothing.
    default: backend.turn(random)
    }
  }

  /// One of the places, the more probable the larger its weight is.
  private func byChance(_ weights: [Int]) -> Int {
    var choice = random.number(below: max(1, weights.reduce(0, +)))
    for (place, weight) in weights.enumerated() {
      if choice < weight { return place }
      choice -= weight
    }
    return weights.count
  }

  /// Lets everything come to an end, first with the faults and then without, and looks at what is
  /// left.
  func finish() {
    calls = profile.calls
    guard rest(until: isStuck) else { return }
    for channel in channels where channel.shared.channels.first === channel {
      channel.shared.checkWaits(memoryIsShort: engine.budget.isShort, channel.file, report)
    }
    kernel.heal()
    (random as? ChoiceList)?.isOver = true
    guard rest(until: isIdle) else { return }
    report.expect(
      channels.allSatisfy(\.isIdle),
      "I16: an operation or barrier hangs after the faults"
    )
    for channel in channels { close(channel, byLettingGo: random.chance(percent: 50)) }
    guard rest(until: isIdle) else { return }
    checkEnd()
  }

  /// Whether nothing is left to do.
  private func isIdle() -> Bool { backend.isIdle && surroundings.jobs.isEmpty }

  /// Whether nothing can be done but to wait for what is stuck.
  func isStuck() -> Bool {
    !backend.canTurn && !backend.hasThreadWork && !kernel.hasDue && !kernel.hasLater
      && surroundings.jobs.isEmpty
  }

  /// Takes steps until there is rest.
  private func rest(until isReached: () -> Bool) -> Bool {
    for _ in 0..<Self.stepsToRest * profile.calls {
      if isReached() { return report.failure == nil }
      lastStep += 1
      if !takeStep(lastStep) { return false }
    }
    report.expect(false, "I16: the run does not come to rest")
    return false
  }

  /// Checks that streams, one after the other, left the file position behind their bytes.
  private func checkPosition(_ file: SimulatedFile, _ open: Surroundings.OpenFile) {
    let end = file.start + file.movedByStreams
    report.expect(
      (try? open.descriptor.position()) == end,
      "I5: streams left the file position elsewhere than at \(end)"
    )
  }

  private func refusesMemory() -> Bool {
    guard kernel.isFaulty, profile.faults.contains(.noMemory),
      random.chance(percent: profile.faultPercent)
    else { return false }
    report.count(.memoryRefused)
    return true
  }

  private func checkEnd() {
    for channel in channels {
      channel.channel = nil
      report.expect(channel.hasCleanedUp, "I2: a channel was not cleaned up")
    }
    for (file, open) in zip(files, surroundings.files) where !open.isPollable {
      checkPosition(file, open)
    }
    backend.forgetLost()
    report.expect(!kernel.hasBuffers, "I3: a buffer was not given back")
    report.expect(log.isEmpty, "I1: a request did not end")
    report.expect(timers.isEmpty, "I18: a timer was left behind")
    report.expect(engine.budget.used == 0, "I11: memory was not given back to the budget")
    report.expect(
      isKnownUniquelyReferenced(&token),
      "I18: a channel that is over still holds a handler"
    )
  }
}
