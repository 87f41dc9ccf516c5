// The signatures of this module use types of these modules.
@_exported public import DataRegions
@_exported public import FoundationEssentials
