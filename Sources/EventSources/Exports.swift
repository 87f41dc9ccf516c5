// The signatures of event sources use types of these modules.
@_exported public import QueueRuntime
@_exported public import IOChannelsSystem
