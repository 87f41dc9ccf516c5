import IOChannelsEngine

/// What sets a seed apart from others: its faults, sizes, bounds and pace.
struct Profile {
  var faults: Faults = []
  /// How many transfers of a hundred meet a fault.
  var faultPercent: Int
  var sizes: TransferSizes
  var limits: RequestScheduler.Limits
  /// The bytes of memory that all channels have, from a single piece of each to plenty.
  var budget: Int
  /// The longest time that the kernel takes, except for what is stuck.
  var latency: Int
  /// The steps before the faults end.
  var steps: Int
  /// How many calls the user makes, at most.
  var calls: Int
  /// How often a handler calls the channels, of a hundred.
  var callsFromHandlers: Int
  /// Whether one channel gets most calls, more than it lets begin at a time.
  var isCrowded: Bool
  /// How probable each kind of step is.
  var userWeight: Int
  var ringWeight: Int
  var kernelWeight: Int
  var jobWeight: Int
  /// How probable it is that the ring's thread wakes for nothing.
  var idleWeight = 1
  /// All that the user calls, if it is not drawn.
  var program: SmallProgram?

  init(_ random: StepGenerator) {
    for bit in 0..<Faults.count where random.chance(percent: bit == 13 ? 6 : bit == 14 ? 10 : 40) {
      faults.insert(Faults(rawValue: 1 << bit))
    }
    faultPercent = random.element(of: [2, 10, 30])
    let step = random.element(of: [512, 1024, 4096])
    sizes = TransferSizes(
      step: step,
      window: step * random.number(in: 2...10),
      atOnce: 0,
      peerAtOnce: 0
    )
    if random.chance(percent: 60) { sizes.atOnce = random.element(of: [step, 4 * step, 24 << 10]) }
    if random.chance(percent: 60) { sizes.peerAtOnce = random.element(of: [step, 24 << 10]) }
    let requests = random.number(in: 2...12)
    limits = RequestScheduler.Limits(
      requests: requests,
      pollable: max(1, requests / 2),
      perDevice: random.number(in: 1...6),
      workersPerDevice: random.number(in: 1...4)
    )
    budget = random.element(of: [1, 64 << 10, 1 << 20])
    latency = random.element(of: [1, 10, 100])
    steps = random.number(in: 150...350)
    calls = random.number(in: 24...48)
    callsFromHandlers = random.element(of: [0, 0, 5, 20])
    userWeight = random.number(in: 2...12)
    ringWeight = random.number(in: 2...12)
    kernelWeight = random.number(in: 2...12)
    jobWeight = random.number(in: 1...12)
    isCrowded = random.number(below: 400) == 0
    // Drawn last, so that the seeds that were kept mean what they meant.
    limits.piece = random.element(of: [256, step / 2, 1 << 20])
    if isCrowded {
      // Each of them has memory and a request, else most do not wait for their turn.
      budget = 1 << 30
      sizes.atOnce = 0
      sizes.peerAtOnce = 0
      steps = 800
      calls = 500
      userWeight = 60
    }
  }
}
