// `BytePath` and `SystemError` stand in the signatures of this module.
@_exported public import IOChannelsSystem
