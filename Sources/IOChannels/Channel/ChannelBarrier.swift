import QueueRuntime

/// A barrier of a channel, and the queue on which it runs.
struct ChannelBarrier: Sendable {
  let channel: Int
  let queue: WorkQueue
  let body: OnceHandler<Void>
}
