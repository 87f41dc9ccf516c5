extension Trap {
  /// Names of one file, special files, and copies of copies.
  static let links: [Trap] = [
    Trap(
      33,
      "names of one file are names of one copy",
      #"""
      mkdir -p t/d to q; echo 1 >t/a; ln t/a t/b; ln t/a t/d/c; ln -s x t/l; ln -P t/l t/d/l
      head -c 300000 $DATA >t/big; ln t/big t/d/big; copy -a t u
      [ u/a -ef u/d/c ] && [ u/big -ef u/d/big ] && echo linked
      copy -d --preserve=links t/a t/b t/big to; shape u to | grep -v big
      echo 2 >q/a; ln -s a q/b; ln q/a q/c; copy -rL --preserve=links q r; shape r
      echo 3 >old; ln old old2; copy -a t/a old; cat old2
      """#
    ),
    Trap(
      34,
      "nothing special in a tree is opened",
      prepare: "mkdir t; mknod -m 666 t/device c 240 99; give t t/device",
      // Whoever opens the FIFO lets its writer go on.
      #"""
      mkfifo t/p; echo 1 >t/f; socket t/s; echo leaked >t/p & writer=$!; copy -r t u
      kill -0 $writer && echo not opened; kill $writer; shape u
      """#
    ),
    Trap(
      35,
      "special files are made anew, or it is told that they cannot be",
      prepare: "mkdir t; mknod -m 640 t/null c 1 3; mknod -m 600 t/block b 7 200; give t t/*",
      #"""
      mkfifo -m 620 t/p; socket t/s; chmod 700 t/s; echo 1 >t/f; touch -d @7 t/*; touch -d @8 t
      copy -a t u; details u
      """#
    ),
    Trap(
      36,
      "the same copy succeeds again",
      #"""
      mkdir -p t/d; mkfifo t/p; ln -s f t/l; ln -s /nowhere t/dangling; echo 1 >t/f; ln t/f t/d/f
      ln -P t/l t/d/l; touch -hd @5 t/* t/d/*; touch -d @6 t t/d
      for i in 1 2 3; do copy -aT t u; done; details u
      """#
    ),
  ]
}
