// Types of these modules stand in the signatures of channels.
@_exported public import DataRegions
@_exported public import QueueRuntime
@_exported public import SystemCalls
