/// The errors of sockets and networks.
extension SystemError {
  /// Out of streams resources (`ENOSR`).
  public static let noStreamResources = SystemError(rawValue: 63)
  /// The machine is not on the network (`ENONET`).
  public static let notOnNetwork = SystemError(rawValue: 64)
  /// A part of the kernel is not configured (`ENOPKG`).
  public static let packageNotInstalled = SystemError(rawValue: 65)
  /// Protocol error (`EPROTO`).
  public static let protocolError = SystemError(rawValue: 71)
  /// The descriptor is not a socket (`ENOTSOCK`).
  public static let notSocket = SystemError(rawValue: 88)
  /// A destination address is required (`EDESTADDRREQ`).
  public static let addressRequired = SystemError(rawValue: 89)
  /// Message too long (`EMSGSIZE`).
  public static let messageTooLong = SystemError(rawValue: 90)
  /// The protocol has the wrong type for the socket (`EPROTOTYPE`).
  public static let protocolWrongTypeForSocket = SystemError(rawValue: 91)
  /// The protocol or the socket option is not available (`ENOPROTOOPT`).
  public static let protocolNotAvailable = SystemError(rawValue: 92)
  /// The protocol is not supported (`EPROTONOSUPPORT`).
  public static let protocolNotSupported = SystemError(rawValue: 93)
  /// The type of socket is not supported (`ESOCKTNOSUPPORT`).
  public static let socketTypeNotSupported = SystemError(rawValue: 94)
  /// The protocol family is not supported (`EPFNOSUPPORT`).
  public static let protocolFamilyNotSupported = SystemError(rawValue: 96)
  /// The address family is not supported (`EAFNOSUPPORT`).
  public static let addressFamilyNotSupported = SystemError(rawValue: 97)
  /// The address is already in use (`EADDRINUSE`).
  public static let addressInUse = SystemError(rawValue: 98)
  /// The address is not available on this machine (`EADDRNOTAVAIL`).
  public static let addressNotAvailable = SystemError(rawValue: 99)
  /// The network is down (`ENETDOWN`).
  public static let networkDown = SystemError(rawValue: 100)
  /// The network is unreachable (`ENETUNREACH`).
  public static let networkUnreachable = SystemError(rawValue: 101)
  /// The network dropped the connection (`ENETRESET`).
  public static let networkReset = SystemError(rawValue: 102)
  /// The connection was aborted (`ECONNABORTED`).
  public static let connectionAborted = SystemError(rawValue: 103)
  /// The connection was reset by the peer (`ECONNRESET`).
  public static let connectionReset = SystemError(rawValue: 104)
  /// No buffer space available (`ENOBUFS`).
  public static let noBufferSpace = SystemError(rawValue: 105)
  /// The socket is already connected (`EISCONN`).
  public static let alreadyConnected = SystemError(rawValue: 106)
  /// The socket is not connected (`ENOTCONN`).
  public static let notConnected = SystemError(rawValue: 107)
  /// The socket was shut down (`ESHUTDOWN`).
  public static let socketShutDown = SystemError(rawValue: 108)
  /// Too many descriptors are in flight (`ETOOMANYREFS`).
  public static let tooManyReferences = SystemError(rawValue: 109)
  /// The connection was refused (`ECONNREFUSED`).
  public static let connectionRefused = SystemError(rawValue: 111)
  /// The host is down (`EHOSTDOWN`).
  public static let hostDown = SystemError(rawValue: 112)
  /// There is no route to the host (`EHOSTUNREACH`).
  public static let hostUnreachable = SystemError(rawValue: 113)
  /// The same operation is already in progress (`EALREADY`).
  public static let alreadyInProgress = SystemError(rawValue: 114)
  /// The operation is in progress (`EINPROGRESS`).
  public static let inProgress = SystemError(rawValue: 115)
}
