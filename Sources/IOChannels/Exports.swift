// The signatures of channels use types of these modules.
@_exported public import DataRegions
@_exported public import QueueRuntime
@_exported public import IOChannelsSystem
