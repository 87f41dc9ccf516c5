/// Answers the Swift runtime's search for the program that prints backtraces: there is none.
///
/// In a static program the runtime would search before `main`, with `/proc/self/exe`, and would
/// stop the process where `/proc` is not mounted. An installed `fastcp` has no such program beside
/// it.
@c(swift_copyAuxiliaryExecutablePath)
func auxiliaryExecutablePath(named name: OpaquePointer?) -> OpaquePointer? { nil }
