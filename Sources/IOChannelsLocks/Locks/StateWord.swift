public import Synchronization

/// The state of an object in one machine word, with pure transitions.
@usableFromInline
package protocol StateWord: Sendable {
  /// The value in memory.
  var bits: UInt64 { get }

  init(bits: UInt64)
}

/// A state word that any thread may change.
///
/// Each change and each load sees all memory writes before the earlier changes.
///
/// The interface can be inlined, so that other modules get specialised code for their words.
@usableFromInline
package struct AtomicState<Word: StateWord>: ~Copyable, Sendable {
  @usableFromInline let bits: Atomic<UInt64>

  @inlinable
  package init(_ word: Word) {
    bits = Atomic(word.bits)
  }

  /// The word at this moment.
  @inlinable
  @inline(__always)
  package var now: Word { Word(bits: bits.load(ordering: .acquiring)) }

  /// Performs a transition.
  ///
  /// - Returns: The word before it, and the transition's answer.
  /// - Complexity: O(1), once more for each thread that performs one at the same moment.
  @inlinable
  @inline(__always)
  @discardableResult
  package func change<Answer>(
    _ transition: (Word) -> (Word, Answer)
  ) -> (before: Word, answer: Answer) {
    var seen = now
    while true {
      let (next, answer) = transition(seen)
      if replace(&seen, with: next) { return (seen, answer) }
    }
  }

  /// Performs a transition without an answer.
  ///
  /// - Returns: The word after it.
  @inlinable
  @inline(__always)
  @discardableResult
  package func change(_ transition: (Word) -> Word) -> Word {
    var seen = now
    while true {
      let next = transition(seen)
      if replace(&seen, with: next) { return next }
    }
  }

  /// Adds to the bits, which wrap around: a transition that is always a sum, in one instruction.
  ///
  /// - Returns: The word before it.
  @inlinable
  @inline(__always)
  package func add(_ difference: Int64) -> Word {
    let difference = UInt64(bitPattern: difference)
    return Word(bits: bits.wrappingAdd(difference, ordering: .acquiringAndReleasing).oldValue)
  }

  /// Performs a transition that is not possible from every word.
  ///
  /// - Returns: Whether it was.
  @inlinable
  @inline(__always)
  package func changeIfPossible(_ transition: (Word) -> Word?) -> Bool {
    var seen = now
    while let next = transition(seen) {
      if replace(&seen, with: next) { return true }
    }
    return false
  }

  @inlinable
  @inline(__always)
  func replace(_ seen: inout Word, with next: Word) -> Bool {
    let (exchanged, found) = bits.weakCompareExchange(
      expected: seen.bits,
      desired: next.bits,
      successOrdering: .acquiringAndReleasing,
      failureOrdering: .acquiring
    )
    if !exchanged { seen = Word(bits: found) }
    return exchanged
  }
}
