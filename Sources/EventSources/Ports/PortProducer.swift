/// A producer that waits for the messages of a port, which it keeps open.
final class PortProducer: EventProducer {
  private let port: EventPort
  private let descriptor: DescriptorProducer

  init(_ port: EventPort) {
    self.port = port
    descriptor = DescriptorProducer(port.borrowed, .read)
  }

  func start(for core: SourceCore) { descriptor.start(for: core) }
  func latch(_ noted: UInt) -> UInt? { descriptor.latch(noted) }
  func rearm(for core: SourceCore) { descriptor.rearm(for: core) }
  func stop(for core: SourceCore) { descriptor.stop(for: core) }
}
