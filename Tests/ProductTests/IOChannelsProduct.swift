import IOChannels

/// What a program can name that imports this product alone.
func useIOChannels(_ number: Int32) -> Int {
  let queue = WorkQueue(label: "queue")
  let group = WorkGroup()
  group.enter()
  let channel = IOChannel(type: .random, fileDescriptor: number, queue: queue) { _ in
    group.leave()
  }
  let data = DataBuffer([1, 2, 3])
  channel.write(offset: 0, data: data, queue: queue) { _, rest, error in
    if error == SystemError.noSpace { print(rest?.count ?? 0) }
  }
  channel.close(flags: .stop)
  group.wait()
  return data.regions.count
}
