// Types of these modules stand in the signatures of the bridge.
@_exported public import DataRegions
@_exported public import Dispatch
