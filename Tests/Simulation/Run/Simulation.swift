import IOChannels
import RequestEngine
import SystemCalls

/// A run of real channels on a simulated kernel, on one thread, all of it decided by one seed.
///
/// `@unchecked Sendable` because handlers hold it; all of a run is on one thread.
package final class Simulation: @unchecked Sendable {
  /// A run that does not come to rest after so many steps for each call hangs; several times what
  /// the slowest of many thousand seeds needs.
  private static let stepsToRest = 1_000

  /// Held by every handler, which shows whether channels let go of them.
  final class HandlerToken: Sendable {}

  let seed: UInt64
  let profile: Profile
  let surroundings: Surroundings
  let report = Report()
  let kernel: SimulatedKernel
  let log: RequestLog
  let backend: SimulatedBackend
  let engine: Engine
  var files: [SimulatedFile] = []
  var channels: [ChannelRecord] = []
  var calls = 0
  /// The number of the last step, of those after the seed's own.
  private var lastStep: Int
  var token: HandlerToken? = HandlerToken()
  /// The numbers of the step that is under way.
  let random: StepGenerator

  init(seed: UInt64, in surroundings: Surroundings) {
    self.seed = seed
    self.surroundings = surroundings
    random = StepGenerator(seed: seed, step: -1)
    profile = Profile(random)
    lastStep = profile.steps
    kernel = SimulatedKernel(profile: profile, report: report)
    log = RequestLog(sizes: profile.sizes, report: report)
    backend = SimulatedBackend(kernel: kernel, log: log, report: report)
    engine = Engine(
      simulatedBy: backend,
      queue: surroundings.globalQueue,
      sizes: profile.sizes,
      buffers: surroundings.buffers,
      budget: MemoryBudget(limit: profile.budget)
    )
    for (index, file) in surroundings.files.enumerated() { makeFile(index, file) }
  }

  private func makeFile(_ index: Int, _ file: Surroundings.OpenFile) {
    let count = random.number(below: random.chance(percent: 20) ? 48 << 10 : 12 << 10)
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
    made.start = Int64(random.number(below: 4 << 10))
    if !file.isPollable { _ = try? file.descriptor.setPosition(made.start) }
  }

  /// Runs a seed.
  ///
  /// - Parameters:
  ///   - seed: What decides everything.
  ///   - steps: The steps that are taken; all when `nil`.
  ///   - surroundings: The open files and queues, which a run that fails leaves unusable.
  /// - Returns: What it met, and whether everything held.
  package static func run(
    seed: UInt64,
    steps: [Int]? = nil,
    in surroundings: Surroundings
  ) -> Outcome {
    let simulation = Simulation(seed: seed, in: surroundings)
    surroundings.refusal.decide = { [unowned simulation] in simulation.refusesMemory() }
    defer { surroundings.refusal.decide = { false } }
    simulation.run(steps)
    return Outcome(
      failure: simulation.report.failure,
      counts: simulation.report.counts,
      operations: simulation.report.operations,
      channels: simulation.channels.count,
      steps: simulation.profile.steps
    )
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
  private func run(_ steps: [Int]?) {
    for _ in 0..<3 { makeChannel() }
    if let steps {
      for step in steps where !takeStep(step) { return }
    } else {
      for step in 0..<profile.steps where !takeStep(step) { return }
    }
    finish()
  }

  /// Takes one step and looks whether everything still holds.
  private func takeStep(_ step: Int) -> Bool {
    random.begin(step)
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
    var choice = random.number(below: user + ring + due + later + thread + job + 1)
    /// Whether the choice falls on a kind of step, one kind after the other.
    func falls(on weight: Int) -> Bool {
      defer { choice -= weight }
      return choice >= 0 && choice < weight
    }
    if falls(on: user) {
      call()
    } else if falls(on: ring) {
      backend.turn(random)
    } else if falls(on: due) {
      backend.complete(random)
    } else if falls(on: later) {
      backend.tick()
    } else if falls(on: thread) {
      backend.runThread(random)
    } else if falls(on: job) {
      surroundings.jobs.runOne(random)
    } else {
      // The ring's thread was woken for nothing.
      backend.turn(random)
    }
  }

  /// Lets everything come to an end, first with the faults and then without, and looks at what is
  /// left.
  private func finish() {
    calls = profile.calls
    guard rest(until: isStuck) else { return }
    for channel in channels where channel.shared.channels.first === channel {
      channel.shared.checkWaits(memoryIsShort: engine.budget.isShort, channel.file, report)
    }
    kernel.heal()
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
  private func isStuck() -> Bool {
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
    report.expect(engine.budget.used == 0, "I11: memory was not given back to the budget")
    report.expect(
      isKnownUniquelyReferenced(&token),
      "I18: a channel that is over still holds a handler"
    )
  }
}
