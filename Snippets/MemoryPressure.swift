// Empties a cache when the system runs short of memory.

import EventSources
import Synchronization

/// Pictures that can be read again.
let cache = Mutex<[String: [UInt8]]>(["portrait": [1, 2, 3]])

let levels: EventSource.MemoryPressureEvent = [.warning, .critical]
// Nil where nothing reports memory pressure.
let source = try? EventSource.makeMemoryPressureSource(eventMask: levels)
source?.setEventHandler { cache.withLock { $0.removeAll() } }
source?.activate()

print(cache.withLock { $0.count }, "picture in the cache")
source?.cancel()

// snippet.hide
// 1 picture in the cache
