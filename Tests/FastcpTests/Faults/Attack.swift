/// The scenes in which an attacker swaps names, as scripts, and the names that he swaps.
enum Attack {
  private static let files = """
    chmod 711 .; mkdir -p source/d/e
    for i in source/d/f{1..32} source/d/e/f{1..32}; do printf %3000s . >$i; done
    printf %200000s . >source/d/large; printf %200000s . >source/large
    """

  /// A source with links to what nobody but the copier may read.
  static let source =
    files + """

      mkdir -p secret/e
      for i in secret/f{1..32} secret/e/f{1..32}; do echo SECRET >$i; done
      printf %200000s SECRET >secret/large
      chmod 700 secret; ln -s ../secret source/evil; ln -s ../../secret/e source/d/evil
      ln -s ../secret/large source/evillarge; mkfifo source/fifo; cp source/d/f1 source/plain
      chown -hR 65534:65534 source
      """

  static let sourcePairs = [
    "source/d", "source/evil", "source/d/e", "source/d/evil", "source/large", "source/evillarge",
  ]

  /// Tells whether a copy holds something of what its source does not reach, and removes it.
  static let leak = "grep -rlq SECRET copy && echo leaked || :; rm -rf copy"

  /// A source, and a stranger's directory.
  static let destination =
    files + """

      ln -s f1 source/d/link; mkfifo source/d/fifo; ln source/d/f3 source/d/e/hard
      chown -hR 65534:65534 source; mkdir -p canary/e
      for i in {1..16}; do echo canary >canary/f$i; done; echo canary >canary/e/f3
      echo canary >canary/large; ln -s x canary/link; chmod 750 canary; chmod 640 canary/f*
      """

  /// A destination with links to the stranger's directory.
  static let attackedDestination = """
    rm -rf copy; mkdir -p copy/d/e; c=$PWD/canary
    ln -s $c copy/evil; ln -s $c/e copy/d/evil; ln -s $c/f1 copy/d/evil1; ln -s $c/f2 copy/d/evil2
    echo old >copy/d/f1; echo old >copy/d/f2; chown -hR 65534:65534 copy
    """

  static let destinationPairs = [
    "copy/d", "copy/evil", "copy/d/e", "copy/d/evil", "copy/d/f1", "copy/d/evil1", "copy/d/f2",
    "copy/d/evil2",
  ]

  /// All that the stranger's directory could lose: content, kind, mode, owner, times.
  static let canary = """
    find canary -printf '%p %y %m %U %G %T@ %C@ %l %n\\n' | sort
    find canary -type f | sort | xargs cat
    """
}
