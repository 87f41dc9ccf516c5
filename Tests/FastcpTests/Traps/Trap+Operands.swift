extension Trap {
  /// Operands, what is in their way, and links that are followed.
  static let operands: [Trap] = [
    Trap(
      1,
      "operands end where they are meant to",
      #"""
      mkdir -p a/in to up; echo 1 >a/f; echo 2 >a/in/g; echo 3 >f; ln -s f link
      copy -r a to; copy -r a new; copy -r a/ to2; copy -r a/. dot; copy -rT a to
      copy -r a/in/.. up; copy f to/; copy f missing/; copy f a/f to; copy -t to f
      copy f to/x/y; copy --strip-trailing-slashes -r a/ to/stripped; copy -d link/ to
      shape to new to2 dot up
      """#
    ),
    Trap(
      2,
      "the target directory is opened once",
      // Two FIFOs keep the copy in the directory while another one takes its name.
      #"""
      mkdir to elsewhere; mkfifo p q
      start $ONE p q to; exec 3>p; printf x >&3; begun to/p
      mv to kept; ln -s elsewhere to; exec 3>&-; echo y >q; finish
      cat kept/p kept/q; ls elsewhere
      """#
    ),
    Trap(
      3,
      "a file is not copied onto itself",
      #"""
      mkdir t t/d; cd t; echo precious >f; ln f hard; ln -s f soft; ln -s ../f d/soft
      for to in f hard soft d/soft ./f; do copy f $to; cat f; done
      copy soft f; copy -d soft f; copy -b f f; copy -bf f hard
      copy --remove-destination f hard; copy -l f hard; copy -s f soft; copy soft d
      cd ..; shape t
      """#
    ),
    Trap(
      4,
      "what this run made is not overwritten",
      #"""
      mkdir -p a/sub b/sub to; echo 1 >a/f; echo 2 >b/f; echo 3 >a/sub/x; echo 4 >b/sub/x
      copy a/f b/f to; copy a/f a/f to; copy -r a/sub b/sub to; shape to
      echo victim >victim; ln -s ../victim a/l; echo 5 >b/l
      copy -r a/l b/l to; cat victim; readlink to/l
      """#
    ),
    Trap(
      5,
      "no directory goes into itself, and an inode's number alone means nothing",
      props: [.mounts],
      // In a fresh file system in memory numbers are given in order, up to that of a directory.
      prepare: #"""
        mkdir t{1..8}; give t?; mkdir "$OUT/fresh"; mount -t tmpfs -o mode=777 none "$OUT/fresh"
        to=$(stat -c '%i %n' t? | sort -n | head -n 1); echo "${to#* }" >"$OUT/to"
        mkdir "$OUT/fresh/s"; ln -s "$OUT/fresh/s" fresh
        (cd fresh/; seq ${to% *} | xargs touch; find . -type f ! -inum ${to% *} -delete)
        """#,
      #"""
      mkdir -p d/sub e; echo 1 >d/f; echo 2 >e/f; copy -r d d/new; said; copy -r e e; said
      find d e | sort; to=$(cat "$OUT/to"); ls fresh/ | wc -l; copy -rT fresh/ $to; ls $to | wc -l
      """#,
      // The installed cp leaves out what its listing names behind the directory that it is making.
      .stated(
        """
        cp: cannot copy a directory, 'd', into itself, 'd/new'
        status 1
        cp: cannot copy a directory, 'e', into itself, 'e/e'
        status 1
        d
        d/f
        d/new
        d/new/f
        d/new/sub
        d/sub
        e
        e/e
        e/e/f
        e/f
        1
        1

        """
      )
    ),
    Trap(
      6,
      "no directory replaces a file, and no file a directory",
      #"""
      mkdir -p d/sub to/d/f outside; echo 1 >d/f; echo 2 >d/sub/x; echo keep >to/d/sub
      copy -r d to; cat to/d/sub; mkdir to2; ln -s ../outside to2/d; copy -r d to2
      ls outside; copy -r d d/f; copy d/f to/d; shape to to2
      """#
    ),
    Trap(
      7,
      "nothing is written through a dangling link",
      #"""
      echo 1 >f; ln -s nowhere dangling; mkdir d; echo 2 >d/l; mkdir -p to/d
      ln -s ../../nowhere2 to/d/l; copy f dangling; said; copy -r d to; said; ls
      readlink dangling to/d/l; copy --remove-destination f dangling; cat dangling; ls
      """#,
      .stated(
        """
        cp: not writing through dangling symlink 'dangling'
        status 1
        cp: not writing through symlink 'to/d/l'
        status 1
        d
        dangling
        f
        far
        to
        nowhere
        ../../nowhere2
        1
        d
        dangling
        f
        far
        to

        """
      )
    ),
    Trap(
      8,
      "-f removes what could not be opened, and the last word counts",
      #"""
      echo new >f; echo old >g; i=$(stat -c %i g); copy -f f g
      [ $i = $(stat -c %i g) ] && echo kept; copy --remove-destination f g; cat g
      /usr/bin/cp /usr/bin/sleep busy; ./busy 60 &
      until [ "$(readlink /proc/$!/exe)" = "$PWD/busy" ]; do sleep 0.005; done; copy f busy
      cmp -s f busy || echo not yet; copy -f f busy; head -c 3 busy; kill $!
      echo 1 >n; copy -n f n; copy -in f n; copy -fn f n; cat n
      echo y >y; input=y copy -ni f n; cat n
      """#
    ),
    Trap(
      9,
      "only what is older is replaced, and names are linked all the same",
      #"""
      mkdir -p s to/s; echo new >s/a; echo newer >to/s/a; echo new >s/b; echo old >to/s/b
      echo 1 >s/c; ln s/c s/d; echo 2 >to/s/c; echo 2 >to/s/d
      touch -d @1000 s/a to/s/b; touch -d @2000 s/b to/s/a; touch -d @1500 s/c to/s/c to/s/d
      copy -au s to; copy -u s/a to/s/b; shape to
      """#
    ),
    Trap(
      10,
      "a backup is made first, undone on failure, and never of the source",
      #"""
      echo new >f; echo old >g; copy -b f g; cat g g~; copy --backup=numbered f g; ls
      echo source >s~; echo 1 >s; copy -b s~ s; cat s s~
      echo precious >h; socket sock; copy -b sock h; cat h; ls; mkdir t; copy -b f f t; ls t
      """#
    ),
    Trap(
      11,
      "links are followed where that was asked for",
      #"""
      mkdir -p d/sub; echo 1 >d/f; ln -s f d/l; ln -s sub d/dl; ln -s d k; ln -s d/f l
      copy l plain; copy -r l kept; copy -r k kept2; copy -r k/ tree; copy -rH k h
      copy -rL d deep; copy -rP k p; copy k nodir; shape plain kept kept2 tree h deep p
      """#
    ),
  ]
}
