import Glibc
import IOChannelsSystem
import Testing

@Suite("Numbers of errors")
struct SystemErrorTests {
  @Test("Names of network errors stand for the numbers of the system")
  func networkErrors() {
    let errors: [(SystemError, Int32)] = [
      (.noStreamResources, ENOSR), (.notOnNetwork, ENONET), (.packageNotInstalled, ENOPKG),
      (.protocolError, EPROTO), (.notSocket, ENOTSOCK), (.addressRequired, EDESTADDRREQ),
      (.messageTooLong, EMSGSIZE), (.protocolWrongTypeForSocket, EPROTOTYPE),
      (.protocolNotAvailable, ENOPROTOOPT), (.protocolNotSupported, EPROTONOSUPPORT),
      (.socketTypeNotSupported, ESOCKTNOSUPPORT), (.protocolFamilyNotSupported, EPFNOSUPPORT),
      (.addressFamilyNotSupported, EAFNOSUPPORT), (.addressInUse, EADDRINUSE),
      (.addressNotAvailable, EADDRNOTAVAIL), (.networkDown, ENETDOWN),
      (.networkUnreachable, ENETUNREACH), (.networkReset, ENETRESET),
      (.connectionAborted, ECONNABORTED), (.connectionReset, ECONNRESET),
      (.noBufferSpace, ENOBUFS), (.alreadyConnected, EISCONN), (.notConnected, ENOTCONN),
      (.socketShutDown, ESHUTDOWN), (.tooManyReferences, ETOOMANYREFS),
      (.connectionRefused, ECONNREFUSED), (.hostDown, EHOSTDOWN),
      (.hostUnreachable, EHOSTUNREACH), (.alreadyInProgress, EALREADY),
      (.inProgress, EINPROGRESS), (.timedOut, ETIMEDOUT), (.brokenPipe, EPIPE),
    ]
    for (error, number) in errors { #expect(error.rawValue == number, "\(error)") }
  }

  /// Returns a kind, as the code of a handler that receives a number does.
  private func kind(of number: Int32) -> String {
    if number == 0 { return "none" }
    if number == .canceled || .timedOut == number { return "early" }
    switch number {
    case SystemError.connectionReset, SystemError.brokenPipe: return "peer"
    case 5: return "device"
    default: return number != .notConnected && number != 0 ? "other" : "socket"
    }
  }

  @Test("Numbers compare with names in both orders, and 0 stands for no error")
  func comparisons() {
    let numbers: [Int32] = [0, ECANCELED, ETIMEDOUT, ECONNRESET, EPIPE, EIO, ENOTCONN, EPERM]
    #expect(
      numbers.map(kind) == ["none", "early", "early", "peer", "peer", "device", "socket", "other"]
    )
    let error = SystemError.canceled
    #expect(error == ECANCELED && ECANCELED == error && error != EIO && EIO != error)
    #expect(!(error == EIO) && !(EIO == error) && !(error != ECANCELED) && !(ECANCELED != error))
    #expect(SystemError(errno: 0) == nil)
    #expect(SystemError(errno: ECANCELED) == .canceled)
  }
}
