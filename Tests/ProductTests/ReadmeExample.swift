import IOChannels

func printSizes() {
  let queue = WorkQueue(label: "reader")
  let channel = IOChannel(type: .stream, fileDescriptor: 0, queue: queue) { error in
    if error != 0 { print("failed:", error) }
  }
  channel.setLimit(lowWater: 1)  // deliver bytes as they arrive; the default waits for 1 MiB
  channel.read(offset: 0, length: .max, queue: queue) { done, data, error in
    // `data` is nil if there is an error.
    for region in (data ?? .empty).regions { print(region.count, "bytes") }
    if done { channel.close() }
  }
}
