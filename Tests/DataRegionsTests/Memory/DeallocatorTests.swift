import DataRegions
import Glibc
import Testing

@Suite("Deallocators")
struct DeallocatorTests {
  /// The C library aborts on memory that is freed twice or is not its own.
  @Test("The deallocator free releases memory of malloc")
  func freeTakesMemoryOfMalloc() throws {
    let memory = unsafe UnsafeMutableRawBufferPointer(start: malloc(64), count: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 7)
    let shown = unsafe DataBuffer(bytesNoCopy: UnsafeRawBufferPointer(memory))
    #expect(shown.allSatisfy { $0 == 7 })
  }

  @Test("The deallocator unmap removes a mapping")
  func unmapTakesAMapping() {
    let length = 3 * 4096
    let start = unsafe mmap(
      nil,
      length,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS,
      -1,
      0
    )
    let mapping = unsafe UnsafeRawBufferPointer(start: start, count: length)
    do {
      let shown = unsafe DataBuffer(bytesNoCopy: mapping, deallocator: .unmap)
      #expect(shown.count == length)
      #expect(isMapped(shown.regions[0].address))
    }
    #expect(!isMapped(UInt(bitPattern: mapping.baseAddress)))
  }

  @Test("The deallocator none does not release the memory")
  func noneLeavesTheMemory() {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 7)
    _ = unsafe DataBuffer(bytesNoCopy: UnsafeRawBufferPointer(memory), deallocator: .none)
    #expect(unsafe memory[7] == 7)
    unsafe memory.deallocate()
  }
}
