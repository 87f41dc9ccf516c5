import FileCopy
import IOChannelsSystem
import IOChannelsTestSupport
import Synchronization

/// Copies of a tree of small files, by one thread.
struct CopyWorks {
  private static let files = 2_000
  private static let filesInDirectory = 50
  private let place: TemporaryDirectory

  /// Creates the tree in a new directory inside of `directory`.
  init(in directory: String) throws {
    place = try TemporaryDirectory(in: directory)
    let bytes = [UInt8](repeating: 7, count: 4096)
    let root = BorrowedDescriptor.workingDirectory
    try root.makeDirectory(BytePath(place("tree")), permissions: 0o755)
    for number in 0..<Self.files {
      let folder = place("tree/\(number / Self.filesInDirectory)")
      if number % Self.filesInDirectory == 0 {
        try root.makeDirectory(BytePath(folder), permissions: 0o755)
      }
      let file = try openFile("\(folder)/\(number)", [.writeOnly, .create])
      guard try file.borrowed.write(bytes, 0..<bytes.count) == bytes.count else {
        throw TestFailure("\(folder): not all was written")
      }
    }
  }

  var all: [Work] {
    [
      Work("file of 4 KiB in a tree, copied", atMost: 1, 22, 0.1, 11.5, count: Self.files) { _ in
        try copy()
      }
    ]
  }

  /// The number of the last copy.
  private static let copies = Atomic<Int>(0)

  private func copy() throws {
    let number = Self.copies.wrappingAdd(1, ordering: .relaxed).newValue
    var options = CopyOptions.archive
    options.jobs = 1
    let (source, destination) = (place("tree"), place("copy\(number)"))
    let report = try FileCopier(options).copyAndWait(from: source, to: destination)
    guard report.fileCount == Self.files else {
      throw TestFailure("the copy of the tree is not complete")
    }
  }
}
