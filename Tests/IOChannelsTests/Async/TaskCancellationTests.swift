import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Cancelled tasks (S150)")
struct TaskCancellationTests {
  @Test("A waiting read ends and takes no byte", arguments: TestBackend.allCases)
  func aWaitingReadEndsAndTakesNoByte(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    let task = Task { try await channel.read(length: 100) }
    task.cancel()
    await #expect(throws: IOChannelError.self) { try await task.value }
    // The channel goes on, and the bytes come to the next read.
    _ = try ends.writing.borrowed.write(pattern(7), 0..<7)
    // A system may give fewer than are there to one call.
    #expect([UInt8](try await channel.read(length: 7)) == pattern(7))
    channel.close()
    await trace.reach(1)
    _ = ends.reading.rawValue
  }

  @Test(
    "A cancelled read that waits for earlier ones ends before them",
    arguments: TestBackend.allCases
  )
  func oneThatWaitsForItsTurnEndsBeforeIt(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 3, queue: trace.queue, ioHandler: trace.handler("first"))
    let task = Task { try await channel.read(length: 100) }
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    #expect(trace.entries == [])
    _ = try ends.writing.borrowed.write(pattern(7), 0..<7)
    #expect(await trace.entries(1) == [.delivery(of: "first", done: true, bytes: 3)])
    #expect([UInt8](try await channel.read(length: 4)) == pattern(4, from: 3))
    channel.close()
    await trace.reach(2)
    _ = ends.reading.rawValue
  }

  @Test("A cancelled write reports the bytes that it has written", arguments: TestBackend.allCases)
  func aCancelledWriteTellsHowMuchWasWritten(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    let data = DataBuffer(pattern(1 << 20))
    let task = Task { try await channel.write(data) }
    // The pipe is full when a first byte can be read and nobody reads on.
    let reader = try backend.channel(.stream, ends.reading, Trace())
    #expect(try await reader.read(length: 1).count == 1)
    reader.close()
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    let moved = error?.transferredCount ?? 0
    #expect(moved >= 1 && moved < data.count)
    channel.close()
    await trace.reach(1)
    let reading = ends.closeWriting()
    var read = 1
    var room = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = try reading.borrowed.read(into: &room), count > 0 {
      #expect(room[..<count].elementsEqual(data.subdata(in: read..<read + count)))
      read += count
    }
    #expect(read == moved)
  }

  @Test(
    "An error reports whether a cancellation caused it, and the bytes before it (S236)",
    arguments: TestBackend.allCases
  )
  func theErrorOfACancellation(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let place = try AsyncPlace(backend, .stream, ends.reading.borrowed.duplicate())
    let channel = place.channel
    _ = try ends.writing.borrowed.write(pattern(3), 0..<3)
    let task: Task<String, Never> = Task {
      do throws(IOChannelError) {
        return "\(try await channel.read(length: 10).count) bytes"
      } catch let error where error.isCancellation {
        return "cancelled after \(error.transferredCount) bytes"
      } catch {
        return "\(error)"
      }
    }
    while ends.reading.borrowed.waitUntilReadable(milliseconds: 0) { await Task.yield() }
    task.cancel()
    #expect(await task.value == "cancelled after 3 bytes")
    channel.close()
    let closed = await #expect(throws: IOChannelError.self) { try await channel.read(length: 1) }
    #expect(closed?.isCancellation == true)
    let other = IOChannelError(.read, of: .descriptor(0), reason: .ioError)
    #expect(!other.isCancellation)
    await place.close()
    _ = ends.writing.rawValue
  }

  @Test("A cancelled task starts no operation that remains", arguments: TestBackend.allCases)
  func aCancelledTaskBeginsNothingThatStays(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      do throws(IOChannelError) {
        for try await _ in channel.chunks() {}
        return nil as IOChannelError?
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value?.reason == .canceled)
    channel.close()
    #expect(await trace.entries(1) == [.cleanup])
    _ = ends.reading.rawValue
  }

  @Test("Storms of cancellation lose no byte", arguments: TestBackend.allCases)
  func stormsOfCancellationLoseNoByte(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    let count = 200
    var taken: [UInt8] = []
    for number in 0..<count {
      let task = Task { try await channel.read(upTo: 1) }
      if number.isMultiple(of: 2) {
        _ = try ends.writing.borrowed.write(pattern(1, from: number), 0..<1)
        task.cancel()
      } else {
        task.cancel()
        _ = try ends.writing.borrowed.write(pattern(1, from: number), 0..<1)
      }
      if let byte = try? await task.value { taken += [UInt8](byte) }
    }
    while taken.count < count { taken += [UInt8](try await channel.read(upTo: count)) }
    #expect(taken == pattern(count))
    channel.close()
    await trace.reach(1)
    _ = ends.reading.rawValue
  }
}
