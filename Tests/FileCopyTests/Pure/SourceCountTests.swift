import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// What sources hold is counted without opening their files.
@Suite("Counting sources")
struct SourceCountTests {
  private func count(
    _ path: BytePath,
    _ options: CopyOptions = .archive,
    while goesOn: @escaping () -> Bool = { true }
  ) -> (found: SourceCount.Found, isExact: Bool) {
    var sum = SourceCount.Found()
    var count = SourceCount(options, while: goesOn) { found in
      sum.files += found.files
      sum.bytes += found.bytes
      sum.allocated += found.allocated
    }
    count.count(path, from: .workingDirectory)
    return (sum, count.isExact)
  }

  @Test("A tree is counted whatever its depth and the number of its names")
  func tree() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir d; cd d; for i in {1..3000}; do printf 1234567 >$i; done
      for i in {1..120}; do
        n=$(printf 'x%.0s' {1..60}); mkdir $n other; printf 1 >other/f; cd $n
      done
      printf 123 >last
      """
    )
    let (found, isExact) = count(place.path("d"))
    #expect(isExact)
    #expect(found.files == 3000 + 120 + 1)
    #expect(found.bytes == 7 * 3000 + 120 + 3)
    #expect(found.allocated > 0)
  }

  @Test("Names of one file share its bytes where links are kept, and not where they are not")
  func names() throws {
    let place = try CopyPlace()
    try place.shell("mkdir d; head -c 1000 /dev/zero >d/f; ln d/f d/g; ln -s f d/l; mkfifo d/p")
    #expect(count(place.path("d")).found.bytes == 1000)
    #expect(count(place.path("d"), .recursive).found.bytes == 2000)
    #expect(count(place.path("d")).found.files == 4)
    #expect(count(place.path("d/f"), .recursive).found.bytes == 1000)
    #expect(count(place.path("missing")).found == SourceCount.Found())
    #expect(count(place.path("d"), CopyOptions()).found == SourceCount.Found())
  }

  @Test("The length of a FIFO or character device that is read is unknown")
  func unknownLengths() throws {
    let place = try CopyPlace()
    try place.shell("mkdir d; mkfifo d/p; echo 1 >d/f")
    #expect(count(place.path("d")).isExact)
    #expect(count("/dev/null", .recursive).isExact)
    #expect(!count("/dev/null", CopyOptions()).isExact)
    #expect(!count(place.path("d/p"), CopyOptions()).isExact)
    var reading = CopyOptions.recursive
    reading.tree.readsSpecialFiles = true
    let (found, isExact) = count(place.path("d"), reading)
    #expect(found.files == 2 && found.bytes == 2 && !isExact)
    reading.tree.product = .hardLinks
    #expect(count(place.path("d"), reading).isExact)
  }

  @Test("A block device that is read counts with its size", .needs(.loop))
  func blockDevices() throws {
    let place = try CopyPlace()
    let device = try place.shell("truncate -s 3M image; losetup -f --show image").dropLast()
    defer { _ = try? place.shell("losetup -d \(device)") }
    let (found, isExact) = count(BytePath(String(device)), CopyOptions())
    #expect(found.files == 1 && found.bytes == 3 << 20 && isExact)
    #expect(count(BytePath(String(device)), .recursive).found.bytes == 0)
    #expect(count("/dev/null", .recursive).found.files == 1)
  }

  @Test("Counting ends without a reader, and no count claims more than was counted")
  func stops() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p d/{1..50}; for d in d/*; do echo 1 >$d/f; done")
    var left = 10
    let (found, isExact) = count(place.path("d")) {
      left -= 1
      return left > 0
    }
    #expect(found.files < 10)
    #expect(!isExact)
  }
}
