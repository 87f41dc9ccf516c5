/// A word or phrase that stands nowhere in prose.
struct BannedWord: Sendable {
  /// The words of the phrase in lower case, with one blank between them.
  let word: String
  /// The terms to write instead.
  let instead: String
  /// The words of the phrase one by one.
  let parts: [String]

  private init(_ word: String, _ instead: String) {
    self.word = word
    self.instead = instead
    parts = word.split(separator: " ").map(String.init)
  }

  /// The first word of each phrase.
  static let firsts = Set(all.map { $0.parts[0] })

  static let all: [BannedWord] = [
    BannedWord("whoever", "the caller, the thread that"),
    BannedWord("whomever", "the caller, the thread that"),
    BannedWord("somebody", "the caller, another process"),
    BannedWord("someone", "the caller, another process"),
    BannedWord("anybody", "any thread, any caller"),
    BannedWord("anyone", "any thread, any caller"),
    BannedWord("nobody", "no thread, no caller"),
    BannedWord("those who", "the callers, the threads that"),
    BannedWord("people", "the user"),
    BannedWord("let go", "release, free"),
    BannedWord("lets go", "release, free"),
    BannedWord("letting go", "release, free"),
    BannedWord("give back", "release, free"),
    BannedWord("gives back", "release, free"),
    BannedWord("given back", "release, free"),
    BannedWord("giving back", "release, free"),
    BannedWord("hand over", "deliver, pass"),
    BannedWord("hands over", "deliver, pass"),
    BannedWord("handed over", "deliver, pass"),
    BannedWord("hears of", "receives, is notified of"),
    BannedWord("hear of", "receive, be notified of"),
    BannedWord("tell", "report, notify"),
    BannedWord("tells", "reports, notifies"),
    BannedWord("told", "reported, notified"),
    BannedWord("says", "reports, states"),
    BannedWord("say so", "report, state"),
    BannedWord("said", "reported, stated"),
    BannedWord("rehearse", "do a dry run"),
    BannedWord("rehearsal", "dry run"),
    BannedWord("rehearses", "does a dry run"),
    BannedWord("wish", "option, request"),
    BannedWord("wishes", "options, requests"),
    BannedWord("wished", "requested"),
    BannedWord("rival", "the tool's name"),
    BannedWord("rivals", "the tools' names"),
    BannedWord("theirs", "the tool's name"),
    BannedWord("ours", "the project's name"),
    BannedWord("to the disk", "flush, sync"),
    BannedWord("ask ahead", "prefetch"),
    BannedWord("asks ahead", "prefetches"),
    BannedWord("pass the page cache", "bypass the page cache"),
    BannedWord("passes the page cache", "bypasses the page cache"),
    BannedWord("torn", "partial"),
    BannedWord("is in the way", "the existing file"),
    BannedWord("stands in the way", "the existing file"),
    BannedWord("in vain", "without success, without effect"),
    BannedWord("affair", "responsibility"),
    BannedWord("crew", "worker group"),
    BannedWord("crews", "worker groups"),
    BannedWord("seat", "parking slot"),
    BannedWord("seats", "parking slots"),
    BannedWord("lane", "queue, pool"),
    BannedWord("lanes", "queues, pools"),
    BannedWord("its turn", "in order, is served"),
    BannedWord("their turn", "in order, are served"),
    BannedWord("take turns", "alternate"),
    BannedWord("takes turns", "alternates"),
    BannedWord("goes on", "continues"),
  ]
}
