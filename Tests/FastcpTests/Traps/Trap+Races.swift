extension Trap {
  private static func words(_ pairs: [String]) -> String { pairs.joined(separator: " ") }

  /// Names that others change meanwhile.
  static let races: [Trap] = [
    Trap(
      42,
      "names that are swapped lead neither out of the source nor out of the destination",
      """
      \(Attack.source)
      for i in 1 2; do
        behind flip \(words(Attack.sourcePairs)) -- : -a source copy
        \(Attack.leak)
      done
      rm -rf source; \(Attack.destination); before=$(\(Attack.canary))
      for i in 1 2; do
        \(Attack.attackedDestination)
        behind flip \(words(Attack.destinationPairs)) -- : -aT source copy
        [ "$(\(Attack.canary))" = "$before" ] || echo escaped
      done
      """,
      .stated("")
    ),
    Trap(
      43,
      "what takes the copy's name meanwhile is not described in its place",
      #"""
      mkdir to; mkfifo -m 666 p; echo 1 >secret; chmod 600 secret; setfacl -m u:33:r p
      touch -d @5 secret; start -p p to/f; exec 3>p; printf x >&3; begun to/f
      mv to/f kept; ln -s ../secret to/f; exec 3>&-; finish
      stat -c '%a %Y' secret; getfacl secret kept
      """#
    ),
  ]
}
