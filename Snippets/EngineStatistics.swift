// Reports the state of the engine as numbers, as a poll of metrics does.

import IOChannels

func report(_ gauge: (_ name: String, _ value: Int) -> Void) {
  let engine = IOEngine.statistics()
  gauge("requests_in_flight", engine.inFlightRequestCount)
  gauge("requests_waiting", engine.waitingRequestCount)
  gauge("bytes_in_use", engine.usedByteCount)
  gauge("stuck_requests", engine.stuckRequests.count)
  // One line each: "write of /mnt/log at offset 4096 of 512 bytes, for 31 seconds".
  for request in engine.stuckRequests { print(request) }
}

print(IOEngine.statistics().reason)
report { name, value in print(name, value) }

// snippet.hide
// no channel has started the engine
// requests_in_flight 0
// requests_waiting 0
// bytes_in_use 0
// stuck_requests 0
