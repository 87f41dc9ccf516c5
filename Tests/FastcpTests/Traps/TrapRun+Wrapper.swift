import IOChannelsTestSupport
import IOChannelsSystem

extension TrapRun {
  /// A program that starts a copier under special conditions.
  struct Wrapper: Sendable {
    /// The words in front of the copier's command.
    var words: [String]

    static let none = Wrapper(words: [])

    /// The program `sandboxrun`, with restrictions.
    static func sandbox(_ restrictions: Restriction...) -> Wrapper {
      Wrapper(words: ["sandboxrun"] + restrictions.map(\.argument) + ["--"])
    }

    /// The program `flip`, which exchanges the names of each pair all the time.
    static func flip(_ pairs: [String]) -> Wrapper { Wrapper(words: ["flip"] + pairs + ["--"]) }

    /// Further arguments, as bash quotes them. They need not be UTF-8.
    static func arguments(_ quoted: String) -> Wrapper {
      Wrapper(words: ["bash", "-c", "exec \"$@\" \(quoted)", "bash"])
    }
  }

  /// A restriction of `sandboxrun`.
  enum Restriction: Sendable {
    /// A system call returns an error.
    case denied(Call, SystemError)
    /// The setup of a ring returns an error.
    case deniedRing(SystemError)
    /// The number of open descriptors.
    case descriptors(Int)
    /// The length of files in bytes.
    case fileSize(Int)
    /// The locked memory in bytes.
    case lockedMemory(Int)
    /// The stack in bytes.
    case stack(Int)
    /// The superuser has no privileges, as in a container.
    case withoutPrivileges

    fileprivate var argument: String {
      switch self {
      case .denied(let call, let error): "deny=\(call.number):\(error.rawValue)"
      case .deniedRing(let error): "uring=\(error.rawValue)"
      case .descriptors(let count): "nofile=\(count)"
      case .fileSize(let bytes): "fsize=\(bytes)"
      case .lockedMemory(let bytes): "memlock=\(bytes)"
      case .stack(let bytes): "stack=\(bytes)"
      case .withoutPrivileges: "nocaps=1"
      }
    }
  }

  /// A system call that a restriction can deny.
  enum Call: Sendable {
    case copyFileRange, fsetxattr, ioctl

    fileprivate var number: Int {
      #if arch(x86_64)
        switch self {
        case .copyFileRange: 326
        case .fsetxattr: 190
        case .ioctl: 16
        }
      #else
        switch self {
        case .copyFileRange: 285
        case .fsetxattr: 7
        case .ioctl: 29
        }
      #endif
    }
  }
}
