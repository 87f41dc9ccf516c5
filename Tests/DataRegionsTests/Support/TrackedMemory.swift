import DataRegions
import Synchronization

/// Makes regions without copying, and counts how often each is given back as it was made.
final class TrackedMemory: Sendable {
  private struct Counts {
    var addresses: [UInt] = []
    var returns: [Int: Int] = [:]
  }

  private let counts = Mutex(Counts())

  /// Where the regions lie, in the order of making.
  var addresses: [UInt] { counts.withLock { $0.addresses } }

  /// How often each region was given back.
  var returns: [Int: Int] { counts.withLock { $0.returns } }

  /// The numbers of the regions that were given back.
  var returnedNumbers: Set<Int> { Set(returns.keys) }

  /// A buffer of one region that reports its end under a number.
  func region(_ number: Int, _ bytes: [UInt8]) -> DataBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    let address = UInt(bitPattern: memory.baseAddress)
    counts.withLock { $0.addresses.append(address) }
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom { [self] memory in
        let isTheSame =
          address == UInt(bitPattern: memory.baseAddress) && memory.count == bytes.count
        unsafe memory.deallocate()
        if isTheSame { counts.withLock { $0.returns[number, default: 0] += 1 } }
      }
    )
  }
}
