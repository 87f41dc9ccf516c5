// The signatures of this module use its errors.
@_exported public import IOChannelsSystem
