internal import IOChannelsLocks

/// The bytes of a label with a zero after them, whose address never changes.
@safe
package final class LabelBytes: Sendable {
  /// The address of the first byte.
  nonisolated(unsafe) package let start: UnsafePointer<CChar>

  /// Copies the bytes of a string.
  convenience init(_ label: String) {
    let characters = label.utf8CString
    unsafe self.init(count: characters.count) { memory in
      for (index, character) in characters.enumerated() { unsafe memory[index] = character }
    }
  }

  /// Copies a string of C.
  convenience init(copying text: UnsafePointer<CChar>) {
    var count = 1
    while unsafe text[count - 1] != 0 { count += 1 }
    unsafe self.init(count: count) { memory in
      for index in 0..<count { unsafe memory[index] = text[index] }
    }
  }

  private init(count: Int, fill: (UnsafeMutablePointer<CChar>) -> Void) {
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe fill(memory)
    unsafe start = UnsafePointer(memory)
  }

  deinit {
    unsafe start.deallocate()
  }
}

extension WorkQueue {
  /// The label as a string of C, which exists as long as the queue.
  package var labelBytes: LabelBytes {
    if let known = attachments.read(\.labelBytes) { return known }
    let new = LabelBytes(label)
    return attachments.change { attachments in
      let bytes = attachments.labelBytes ?? new
      attachments.labelBytes = bytes
      return bytes
    }
  }

  /// Stores the label as a string of C, for a label that is not UTF-8.
  package func storeLabel(_ text: UnsafePointer<CChar>) {
    let bytes = unsafe LabelBytes(copying: text)
    attachments.change { $0.labelBytes = bytes }
  }
}
