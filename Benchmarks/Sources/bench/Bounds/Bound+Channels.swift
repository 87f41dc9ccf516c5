import Measure

extension Bound {
  /// Those of the rows of channels and requests.
  static func channels(_ programs: Programs) -> [Bound] {
    [
      Bound(id: "B1.dispatch") { size in
        let file = try CachedFile.shared(megabytes: size.count(quick: 256, full: 1024))
        return [
          Way(name: "a loop of pread over sixteen buffers of 1 MiB") {
            let timing = try PlainRead.stream(path: file.path, expecting: file.byteCount)
            return timing.duration / .seconds(1)
          }
        ]
      },
      cachedReads("B2.uring", "ext4"),
      cachedReads("B2.xfs", "xfs"),
      directReads("B3", isRandom: true, programs),
      directReads("B3.channel", isRandom: true, programs),
      directReads("B4", isRandom: false, programs),
      directReads("B4.channel", isRandom: false, programs),
      Bound(id: "B5.stream-dispatch") { size in
        let file = try WrittenFile(megabytes: StreamWrite.megabytes(size))
        let loop = PlainWrite(bytes: PageBytes(count: StreamWrite.bufferSize))
        return [
          Way(name: "a loop of pwrite") {
            try file.timed { loop.stream($0, count: file.byteCount) }.duration / .seconds(1)
          }
        ]
      },
      randomWrites("B5.random-dispatch", programs),
      randomWrites("B5.random-pwrite", programs),
      randomWrites("B5.random-xfs", on: "xfs", programs),
      channelCopies("B6.dispatch"),
      channelCopies("B6.cp"),
      Bound(id: "B8") { size in
        [
          Way(name: "a loop of read and write on one thread") {
            try PipeRelay.timeOfLoop(size).duration / .seconds(1)
          },
          Way(name: "a thread that reads and one that writes") {
            try PipeRelay.timeOfTwoThreads(size).duration / .seconds(1)
          },
        ]
      },
    ]
  }

  /// A call for each read and memory of its own, without a library.
  private static func cachedReads(_ id: String, _ kind: String) -> Bound {
    Bound(id: id) { size in
      let file = try CachedFile.shared(megabytes: 128, on: kind)
      let count = size.count(quick: 200_000, full: 1_000_000)
      return [
        Way(name: "a loop of pread into new memory, the last 64 results kept") {
          let command = [programBeside("bareloops"), "results", "\(count)", "64", file.path]
          return try number(printedBy: command)
        }
      ]
    }
  }

  /// A ring without a library, whose reads one thread or two look after.
  private static func directReads(_ id: String, isRandom: Bool, _ programs: Programs) -> Bound {
    Bound(id: id) { size in
      let file = try DiskFile.shared(directory: programs.disk, megabytes: 1024)
      let reads = DirectReads.reads(of: file, isRandom: isRandom, size)
      func handingOff(_ name: String, _ nanoseconds: Int) -> Way {
        let arguments = [
          reads.path, "\(reads.size)", "\(reads.depth)", "\(reads.count)", "\(reads.span)",
          isRandom ? "random" : "sequential", "\(nanoseconds)",
        ]
        return Way(name, "handoff", arguments)
      }
      return [
        Way(name: "a bare ring") {
          try withExtendedLifetime(file) { try reads.bareLoop().seconds }
        },
        handingOff("a bare ring that hands what came to a second thread", 0),
        handingOff("the same, the second thread busy for 1 µs a read", 1000),
        handingOff("the same, for 2 µs", 2000),
      ]
    }
  }

  /// The loop, the ring and the pool, without channels.
  private static func randomWrites(
    _ id: String,
    on kind: String = "ext4",
    _ programs: Programs
  ) -> Bound {
    Bound(id: id) { size in
      let file = try WrittenFile(megabytes: StreamWrite.megabytes(size), on: kind)
      let loop = PlainWrite(bytes: PageBytes(count: StreamWrite.blockSize))
      func writes(_ depth: Int) -> Reads {
        Reads(
          path: file.path,
          size: StreamWrite.blockSize,
          depth: depth,
          count: file.byteCount / StreamWrite.blockSize,
          span: file.byteCount,
          isRandom: true,
          isDirect: false
        )
      }
      func engine(_ name: String, _ way: String) -> Way {
        Way(name: name) {
          let work = [
            "ways=\(way)", "work=overwrite", "size=\(StreamWrite.blockSize)", "depth=64",
            "count=\(writes(64).count)", "span=\(file.byteCount)", "order=random", "pages=cached",
          ]
          return try Cost.ofEngine(programs.directory, work + [file.path]).seconds
        }
      }
      return [
        Way(name: "a loop of pwrite") {
          try file.timed { loop.random($0, count: file.byteCount) }.duration / .seconds(1)
        },
        Way(name: "fio, a loop of pwrite") { try writes(1).fio("psync", writes: true).seconds },
        Way(name: "fio on io_uring, 64 in flight") { try writes(64).fio(writes: true).seconds },
        engine("the engine on the ring, without channels", "ring"),
        engine("the engine on threads, without channels", "pool"),
      ]
    }
  }

  private static func channelCopies(_ id: String) -> Bound {
    Bound(id: id) { size in
      func copying(_ name: String, _ way: String, pieces: Int) -> Way {
        Way(name: name) {
          let timing = try ChannelCopy.copied(ChannelCopy.megabytes(size)) { source, target in
            try time([programBeside("copyways"), way, "\(pieces)", source, target])
          }
          return timing.duration / .seconds(1)
        }
      }
      return [
        copying("one thread with one buffer of 256 KiB", "buffer", pieces: 256 << 10),
        copying("a thread that reads and one that writes, 16 of 1 MiB", "threads", pieces: 1 << 20),
      ]
    }
  }
}
