// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Types with the names of public types of SystemPackage and NIOCore, which this package cannot
// import.

public enum AddressedEnvelope {}
public enum BackPressureHandler {}
public enum ByteBuffer {}
public enum ByteBufferAllocator {}
public enum ByteBufferView {}
public enum CInterop {}
public enum Channel {}
public enum ChannelError {}
public enum ChannelEvent {}
public enum ChannelHandler {}
public enum ChannelHandlerContext {}
public enum ChannelInboundHandler {}
public enum ChannelInvoker {}
public enum ChannelOption {}
public enum ChannelOptions {}
public enum ChannelOutboundHandler {}
public enum ChannelPipeline {}
public enum CircularBuffer {}
public enum CloseMode {}
public enum DecodingState {}
public enum Endianness {}
public enum Errno {}
public enum EventLoop {}
public enum EventLoopError {}
public enum EventLoopFuture {}
public enum EventLoopGroup {}
public enum EventLoopPromise {}
public enum FileDescriptor {}
public enum FilePath {}
public enum FilePermissions {}
public enum FileRegion {}
public enum IOCompletion {}
public enum IOData {}
public enum IOError {}
public enum IORequest {}
public enum IORing {}
public enum MarkedCircularBuffer {}
public enum MulticastChannel {}
public enum MulticastError {}
public enum NIOAny {}
public enum NIODeadline {}
public enum NIOFileHandle {}
public enum RecvByteBufferAllocator {}
public enum RemovableChannelHandler {}
public enum RepeatedTask {}
public enum Scheduled {}
public enum SocketAddress {}
public enum SocketAddressError {}
public enum SocketOptionLevel {}
public enum SocketOptionName {}
public enum SocketOptionValue {}
public enum TimeAmount {}
public enum WriteBufferWaterMark {}
