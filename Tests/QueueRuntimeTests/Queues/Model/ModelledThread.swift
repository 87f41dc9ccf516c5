@testable import QueueRuntime

/// A thread of a model: what it does next and what it remembers.
struct ModelledThread: Hashable {
  /// The places between the atomic operations of the cores, in the words of their sources.
  enum Place: Hashable {
    case idle, call, waiting, start, end
    case submitLook, submitPark, submit
    case tryLook, tryHold, tryChange, tryRelease
    case announce, queueUp, queueLook, queueHold, makeDue, changeDue, ownTake
    case letGo, letGoRefill, letGoStore, letGoTake
    case exit, exitLook, exitTake, exitAlone
    case giveOn, giveRefill, giveStore, giveLook, giveTake, giveNone
    case release, releaseChange
    case drain, enter, lock, token, refill, store, look, take, none, noneLook, nonePark
    case dueLeave, leave, barrierLook, barrierPark, barrierTake, barrierEnd
  }

  let number: Int
  var place: Place
  /// The numbers of the items that its calls stand for, and of stops as negative ones.
  var calls: [Int]
  var item = -1
  var hasToken = false
  /// What was exchanged out of the word and not stored yet.
  var taken: [Int] = []
  /// Whether it saw the queue stopped.
  var sawStop = false
  /// Whether it looked before it saw an item, as a mutant does.
  var lookedEarly = false
  /// Where to go on after having submitted.
  var after = Place.idle
  /// Where to go on after having let go, or not.
  var afterRelease = Place.idle
  var afterFailure = Place.idle

  mutating func submit(then place: Place) {
    self.place = .submitLook
    after = place
  }

  /// Lets waiting threads in, as the owner of the token.
  mutating func giveOn(then place: Place) {
    self.place = .giveOn
    after = place
  }

  /// Lets go of the list; whoever fails has the queue drained, or goes on elsewhere.
  mutating func release(then success: Place, else failure: Place = .submitLook) {
    place = .release
    afterRelease = success
    afterFailure = failure
  }
}
