extension Trap {
  /// The bytes, and where they are on the disk.
  static let data: [Trap] = [
    Trap(
      21,
      "a size is a hint",
      #"""
      mkdir to; for f in /proc/version /proc/filesystems /sys/devices/system/cpu/online
      do copy $f to; cmp $f to/${f##*/} && echo whole; done
      copy --sparse=always /proc/filesystems to/s; cmp /proc/filesystems to/s && echo whole
      """#
    ),
    Trap(
      22,
      "a source that shrinks ends early, and that is told",
      props: [.faulty],
      #"""
      head -c 3000000 $DATA >behind/f; head -c 3000000 $DATA >behind/g; mkdir to
      rules 'read f 2 hang 1'; start faulty/f faulty/g to; used; truncate -s 1000000 behind/f
      rules; finish; cmp behind/g to/g && echo whole; said
      """#,
      .stated("whole\ncp: file 'faulty/f' was changed while being copied\nstatus 1\n")
    ),
    Trap(
      23,
      "a source that is another one when it is opened is not copied",
      props: [.faulty],
      #"""
      mkdir behind/s; echo 1 >behind/s/f; echo 2 >behind/s/g; echo secret >secret
      rules 'lookup f 1 hang 1'; start -rT faulty/s to; used
      rm behind/s/f; ln -s "$PWD/secret" behind/s/f; rules; finish; ls to; cat to/*
      """#,
      .stated("g\n2\n")
    ),
    // Where the file system is known the kernel would move pages, too, and is not asked; on FUSE it
    // would move what the page cache holds. UnusualSourceTests try the others.
    Trap(
      24,
      "copy_file_range is not asked for files whose bytes it does not know",
      props: [.faulty],
      #"""
      mkdir far/s; head -c 200000 $DATA >far/s/g; no=deny=$IOCTL:95
      cd faulty; head -c 300000 $DATA >f
      for e in 1 5 18 22 26 38 95; do
        behind sandboxrun $no deny=$RANGE:$e -- : f new; cmp f new && echo whole; rm -f new
      done
      copy /proc/version v; cmp /proc/version v && echo whole
      copy "$OLDPWD/far/s/g" h; cmp "$OLDPWD/far/s/g" h && echo whole
      ls
      """#,
      .stated(String(repeating: "whole\n", count: 9) + "f\nh\nv\n"),
      naiveLoop: .holds(because: "it reads and writes, and calls nothing that may be unknown")
    ),
    Trap(
      25,
      "only a clone that is not supported may be replaced by a copy",
      #"""
      head -c 300000 $DATA >f; echo kept >old
      for e in 25 95 18 22; do
        behind sandboxrun deny=$IOCTL:$e -- : f new; cmp f new && echo whole; rm -f new
      done
      for e in 5 12 28 122; do behind sandboxrun deny=$IOCTL:$e -- : f new; said; done
      for n in new old; do
        behind sandboxrun deny=$IOCTL:95 -- : --reflink=always f $n; said
      done
      ls; cat old
      """#,
      .stated(
        String(repeating: "whole\n", count: 4)
          + """
          cp: failed to clone 'new' from 'f': Input/output error
          status 1
          cp: failed to clone 'new' from 'f': Cannot allocate memory
          status 1
          cp: failed to clone 'new' from 'f': No space left on device
          status 1
          cp: failed to clone 'new' from 'f': Disk quota exceeded
          status 1
          cp: failed to clone 'new' from 'f': Operation not supported
          status 1
          cp: failed to clone 'old' from 'f': Operation not supported
          status 1
          f
          far
          old
          kept

          """
      ),
      naiveLoop: .holds(because: "it makes no clones, so none of them can fail")
    ),
    Trap(
      26,
      "holes stay holes, here and on another file system",
      #"""
      truncate -s 10M s; dd if=$DATA of=s bs=64K seek=80 count=2 conv=notrunc status=none
      truncate -s 3M all; head -c 200000 $DATA >dense; mkdir far/s
      /usr/bin/cp --sparse=always s far/s; sync s; cat $DATA $DATA $DATA >old
      look() {
        cmp $1 $2 && echo same; sync $2; [ $(stat -c %b $2) -lt 1000 ] && echo sparse
      }
      copy s s1; look s s1; copy --reflink=never s s2; look s s2; copy far/s/s s3; look s s3
      copy all a1; look all a1; copy s old; look s old; copy dense d1; cmp dense d1
      """#
    ),
    Trap(
      27,
      "a walk over extents ends while they change",
      props: [.faulty],
      // What was found of the last extent is not there any more when it is read.
      #"""
      make() { truncate -s 10M s; dd if=$DATA of=s bs=64K seek=80 count=8 conv=notrunc; }
      for to in faulty/s2 s2; do
        (cd behind; make); rules 'lseek s 3 hang 1'; start faulty/s $to; used
        truncate -s 1M behind/s; rules; finish; said
      done
      (cd behind; make); copy faulty/s s3; cmp behind/s s3 && echo same
      """#,
      .stated(
        String(
          repeating: "cp: file 'faulty/s' was changed while being copied\nstatus 1\n",
          count: 2
        ) + "same\n"
      ),
      naiveLoop: .holds(because: "it asks for no extents; that it waits for bytes is another trap")
    ),
    Trap(
      28,
      "a hole that cannot be made fails the file",
      #"""
      truncate -s 10M s; dd if=$DATA of=s bs=64K seek=80 count=2 conv=notrunc status=none
      echo 1 >f; mkdir to
      for w in auto always; do
        behind sandboxrun fsize=9000000 -- : --reflink=never --sparse=$w s f to; said; ls to
      done
      """#,
      .stated(
        String(
          repeating: "cp: failed to extend 'to/s': File too large\nstatus 1\nf\n",
          count: 2
        )
      )
    ),
    Trap(
      29,
      "space that was only reserved reads as zeros",
      #"""
      fallocate -l 3M p; dd if=$DATA of=p bs=4096 seek=300 count=1 conv=notrunc status=none
      : >q; fallocate -n -l 4M q; mkdir to
      for o in --reflink=auto --reflink=never --sparse=never --sparse=always; do
        copy $o p q to; cmp p to/p && echo same; stat -c %s to/q
      done
      """#,
      naiveLoop: .holds(because: "it reads all bytes, and the kernel gives it the zeros")
    ),
    Trap(
      30,
      "what is left of a killed copy does not pass for the whole by its size",
      props: [.faulty],
      #"""
      mkdir to; head -c 3000000 $DATA >behind/f; touch -d @5 behind/f
      rules 'read f 3 hang 1'; start -a faulty/f to; used
      pkill -KILL -P $(pgrep -P $worker -x timeout) -x cp; rules; finish
      [ "$(stat -c %s to/f)" = 3000000 ] && echo taken for the whole
      copy -a faulty/f to; cmp behind/f to/f && echo whole; ls -A to
      """#,
      .stated("ended with 137\nwhole\nf\n")
    ),
    Trap(
      31,
      "a full disk is an error, and what the failed copy took is given back",
      props: [.narrow],
      #"""
      free() { sync -f narrow/.; stat -f -c %f narrow/.; }
      cat $DATA $DATA >large; echo 1 >small; mkdir narrow/to
      before=$(free); copy large narrow/to; said | grep -v warning; ls -A narrow/to
      copy $ONE large small narrow/to; ls -A narrow/to; rm narrow/to/small
      for i in {1..200}; do
        if ((before - $(free) < 200)); then echo given back; break; fi; sleep 0.02
      done
      """#,
      .stated(
        """
        cp: error writing 'narrow/to/large': No space left on device
        status 1
        small
        given back

        """
      )
    ),
    Trap(
      32,
      "requests that are short, refused or cut are finished or told",
      props: [.faultyAndDirect],
      #"""
      head -c 3000017 $DATA >behind/f; head -c 3000017 $DATA >f; mkdir to far/to behind/to
      rules 'read f 1+ short 70001'; copy faulty/f to; cmp f to/f && echo whole
      rules 'write f 1+ short 70001'; copy f faulty/to; cmp f behind/to/f && echo whole
      rules 'read f 2 errno 5'; copy faulty/f to/g; said; ls to; rules
      copy --direct f far/to; cmp f far/to/f && echo whole; copy --debug f far/to/g
      cmp f far/to/g && echo whole; carried=$(grep -c '^ring: [1-9]' "$OUT/said")
      [ $IOCHANNELS_BACKEND$carried = uring1 ] || [ $IOCHANNELS_BACKEND$carried = threads0 ] \
        && echo as asked
      """#,
      .stated(
        """
        whole
        whole
        cp: error reading 'faulty/f': Input/output error
        status 1
        f
        whole
        whole
        as asked

        """
      )
    ),
  ]
}
