// Its errors stand in the signatures of this module.
@_exported public import SystemCalls
