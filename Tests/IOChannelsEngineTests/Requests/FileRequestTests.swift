import DataRegions
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Requests about files")
struct FileRequestTests {
  @Test("A file is created, resized, synced, inspected and closed", arguments: Way.allCases)
  func aFileIsMadeSizedSyncedLookedAtAndClosed(way: Way) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    let path = BytePath(place("file"))
    let flags: OpenFlags = [.readWrite, .create, .exclusive]
    let opened = await asker.ask(.open(path, flags, permissions: 0o640))
    let number = try #require(try opened?.get())
    let file = OwnedDescriptor(owning: Int32(number))
    #expect(try file.borrowed.statusFlags().rawValue & 0o3 == 2)

    let details = try content(of: "/proc/self/fdinfo/\(number)")
    #expect(details.contains("flags:\t02"), "closes on exec")

    let allocation = Request.Operation.allocate([], length: 4096)
    let allocated = await asker.ask(allocation, of: file.borrowed, offset: 4096)
    #expect(allocated == .success(0))
    let grown = await asker.status(of: nil, in: file.borrowed)
    #expect(grown?.size == 8192)
    #expect(await asker.ask(.truncate(length: 100), of: file.borrowed) == .success(0))
    #expect(await asker.ask(.synchronize(dataOnly: true), of: file.borrowed) == .success(0))
    #expect(await asker.ask(.synchronize(dataOnly: false), of: file.borrowed) == .success(0))
    let last = await asker.status(of: path)
    #expect(last?.size == 100)
    #expect(last == (try file.borrowed.status()))
    way.expectCarried(7, transfers: 0, by: asker.engine)
  }

  @Test("A closed end of a pipe is seen by the other end", arguments: Way.allCases)
  func aClosedEndOfAPipeIsSeenByTheOther(way: Way) async throws {
    let asker = Asker(try way.engine())
    let ends = try PipeEnds()
    let reading = try ends.reading.borrowed.duplicate()
    let writing = BorrowedDescriptor(rawValue: ends.closeReading().release())
    #expect(await asker.ask(.close, of: writing) == .success(0))
    var byte: [UInt8] = [0]
    #expect(try reading.borrowed.read(into: &byte) == 0, "no writer is left")
    way.expectCarried(1, transfers: 0, by: asker.engine)
  }

  @Test(
    "A close and a sync that a file system interrupts are not repeated (S106, S153)",
    .needs(.fuse),
    arguments: Way.allCases
  )
  func interrupted(way: Way) async throws {
    let system = try FaultFileSystem()
    let file = try openFile("\(system.path)/f", [.readWrite, .create])
    let descriptor = BorrowedDescriptor(rawValue: file.release())
    try system.setRules("fsync f 1+ errno 4", "flush f 1+ errno 4")
    let asker = Asker(try way.engine())
    let sync = Request.Operation.synchronize(dataOnly: false)
    #expect(await asker.ask(sync, of: descriptor) == .failure(.interrupted))
    #expect(await asker.ask(.close, of: descriptor) == .failure(.interrupted))
    // Children of other tests close the file too.
    #expect(system.uses().count { $0.hasPrefix("fsync") } == 1)
  }

  @Test("Errors are the same on each route", arguments: Way.allCases)
  func errorsAreTheSameEachWay(way: Way) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    let path = BytePath(try place.write([1], to: "file"))
    let file = try openFile(place("file"), .readWrite)
    let ends = try PipeEnds()
    let none = BorrowedDescriptor(rawValue: -1)
    let absent = BytePath(place("absent"))
    let long = BytePath(String(repeating: "x", count: 300))
    let asked: [(Request.Operation, BorrowedDescriptor, SystemError)] = [
      (.open(absent, .readOnly, permissions: 0), .workingDirectory, .noSuchFileOrDirectory),
      (.open(path, [.create, .exclusive], permissions: 0), .workingDirectory, .fileExists),
      (.open(path, .directory, permissions: 0), .workingDirectory, .notDirectory),
      (.open(long, .readOnly, permissions: 0), .workingDirectory, .fileNameTooLong),
      (.open("name", .readOnly, permissions: 0), file.borrowed, .notDirectory),
      (.open("", .readOnly, permissions: 0), .workingDirectory, .noSuchFileOrDirectory),
      (.status(absent, following: true), .workingDirectory, .noSuchFileOrDirectory),
      (.status("", following: false), .workingDirectory, .noSuchFileOrDirectory),
      (.status(nil, following: false), none, .badFileDescriptor),
      (.close, none, .badFileDescriptor),
      (.synchronize(dataOnly: false), ends.reading.borrowed, .invalidArgument),
      (.synchronize(dataOnly: true), none, .badFileDescriptor),
      (.truncate(length: -1), file.borrowed, .invalidArgument),
      (.truncate(length: 1), none, .badFileDescriptor),
      (.allocate([], length: 0), file.borrowed, .invalidArgument),
      (.allocate([], length: 1), ends.reading.borrowed, .badFileDescriptor),
    ]
    for (index, (operation, descriptor, error)) in asked.enumerated() {
      let answer = await asker.ask(operation, of: descriptor)
      #expect(answer == .failure(error), "number \(index)")
    }
    way.expectCarried(0, by: asker.engine)
  }

  @Test("A link is inspected or followed", arguments: Way.allCases)
  func aLinkIsLookedAtOrFollowed(way: Way) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    try place.write([1, 2, 3], to: "file")
    let directory = try openFile(place.path, .directory)
    try directory.borrowed.makeSymbolicLink("link", to: "file")
    let link = await asker.status(of: "link", in: directory.borrowed)
    #expect(link?.kind == .symbolicLink)
    let file = await asker.status(of: "link", following: true, in: directory.borrowed)
    #expect(file?.kind == .regular && file?.size == 3)
    let null = await asker.status(of: "/dev/null")
    let device = try #require(null).specialDevice
    #expect(device == 0x103)
  }

  @Test("Cancelled inspections end once, with a result or an error", arguments: Way.allCases)
  func cancelledLooksEndOnceWithTheTruthOrWithout(way: Way) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    let path = BytePath(try place.write([1, 2, 3], to: "file"))
    let requests = (0..<500).map { number in
      let request = asker.submit(.status(path, following: false))
      if number % 3 > 0 { asker.engine.cancel(request) }
      return request
    }
    for (number, request) in requests.enumerated() {
      let answer = await asker.answer(to: request)
      if answer == .success(0) {
        #expect(request.status?.size == 3)
      } else {
        #expect(answer == .failure(.canceled) && number % 3 > 0)
        #expect(request.status == nil)
      }
    }
  }

  @Test("A transfer ends at the limit of the kernel", arguments: Way.allCases)
  func aTransferIsCutAtTheLimitOfTheKernel(way: Way) async throws {
    let asker = Asker(try way.engine())
    let null = try openFile("/dev/null", .writeOnly)
    let piece = DataBuffer([UInt8](repeating: 0, count: 4 << 20))
    var data = DataBuffer()
    for _ in 0..<600 { data.append(piece) }
    #expect(data.count > transferLengthLimit)
    let request = asker.submit(.write(data), of: null.borrowed, offset: 0)
    #expect(request.length == 0x7fff_f000)
    #expect(await asker.answer(to: request) == .success(0x7fff_f000))
  }
}

/// The start of a file of the kernel's.
func content(of path: String) throws -> String {
  let file = try openFile(path)
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = try file.borrowed.read(into: &bytes)
  return String(decoding: bytes[..<count], as: UTF8.self)
}
