/// The rows of `gcdtool`, by what they test.
enum CRows {
  static let objects = [
    "globals_keep", "finalizers", "finalizer_place", "attributes_keep",
    "descriptions",
  ]
  static let queues = [
    "function_forms", "block_forms", "barriers", "last_release", "labels", "classes",
    "suspension", "targets", "main_queue",
  ]
  static let widths = [
    "overcommit", "width", "width_of_serial", "width_of_shared", "width_and_release",
  ]
  static let specifics = ["specific_values", "specific_destructors"]
  static let times = ["times", "wall_times", "timeouts"]
  static let groups = ["entered_group", "group_notifications", "group_storm", "semaphores"]
  static let items = [
    "items", "item_flags", "item_waits", "item_cancellation", "item_submissions", "block_ends",
    "handler_ends",
  ]
  static let data = ["data_forms", "data_empty", "data_destructors", "data_functions"]
  static let channels = [
    "file_reads", "water_marks", "pipe_reads", "intervals", "stops", "io_barriers",
    "random_channels", "one_shots", "io_functions", "file_writes", "broken_pipe", "slow_reader",
    "bad_descriptors", "bad_paths", "closed_channels",
  ]
  static let sources = [
    "data_sources", "source_handlers", "source_functions", "source_cancellation", "source_order",
    "source_targets", "source_creation",
  ]
  static let events = [
    "timer_starts", "timer_counts", "timer_past", "timer_settings", "timer_short", "read_source",
    "read_end", "write_source", "file_source", "listening_source", "shared_descriptor",
    "signal_source", "process_source", "file_observation",
  ]
  /// The rows that stop the program, each with the begin of its message.
  static let misuse: [(String, String)] = [
    ("unbalanced_leave", "dispatch_group_leave: "),
    ("unbalanced_resume", "dispatch_resume: "),
    ("resumed_inactive_queue", "dispatch_resume: "),
    ("wrong_queue", "dispatch_assert_queue: "),
    ("wrong_queue_not", "dispatch_assert_queue_not: "),
    ("sync_in_itself", "dispatch_sync: "),
    ("recursive_once", "dispatch_once: "),
    ("second_wait", "dispatch_block_wait: "),
    ("wait_for_block", "dispatch_block_wait: "),
    ("released_suspended", "dispatch_release: "),
    ("released_inactive_source", "dispatch_release: "),
  ]

  static let all: [[String]] = [
    ["both_libraries", "once"], objects, queues, widths, specifics, times, groups, items, data,
    channels, sources, events, misuse.map { $0.0 },
  ]
}
