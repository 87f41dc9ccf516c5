// Types of these modules stand in the signatures of event sources.
@_exported public import QueueRuntime
@_exported public import SystemCalls
