extension Trap {
  /// Owners, modes, attributes and times.
  static let attributes: [Trap] = [
    Trap(
      12,
      "what is new is closed until it is whole",
      #"""
      mkdir -m 777 d to; mkfifo -m 666 p d/p
      start p to/f; exec 3>p; printf x >&3; begun to/f; stat -c %a to/f; exec 3>&-; finish
      start -a --copy-contents d to; exec 3>d/p; printf x >&3; begun to/d/p; stat -c %a to/d
      exec 3>&-; finish; stat -c %a to/f to/d
      """#,
      .stated("600\n700\n644\n777\n")
    ),
    Trap(
      13,
      "data, owner, attributes, mode and times come in this order, directories last",
      prepare: #"""
        mkdir t; echo 1 >t/theirs; chown 12:34 t/theirs; chmod 6755 t/theirs; echo 2 >t/able
        setfattr -n security.capability -v 0x0100000200200000000000000000000000000000 t/able
        touch -d @9 t/*; give t
        """#,
      #"""
      mkdir -p t/d/closed; echo 3 >t/d/closed/f; echo 4 >t/d/g; setfattr -n user.a -v 1 t/d/g
      setfattr -n user.b -v 2 t/d; setfacl -m u:33:r t/d/g; chmod 640 t/d/g; ln t/d/g t/h
      touch -d @1000.5 t/d/closed/f t/d/closed; chmod 555 t/d/closed; touch -d @5 t/d t/d/g
      touch -d @6 t; copy -a t u; details u
      """#
    ),
    Trap(
      14,
      "set-id bits need a preserved mode and owner",
      prepare: "echo 1 >theirs; chmod 6755 theirs",
      #"""
      echo 2 >mine; chmod 6755 mine; mkdir -m 1755 sticky; echo 3 >sticky/f
      chmod 4755 sticky/f; mkdir to kept; copy mine theirs to; copy -r sticky to; shape to
      copy -p mine theirs kept; copy -rp sticky kept; shape kept
      """#
    ),
    Trap(
      15,
      "an existing file keeps its inode and mode, and with -p is closed before the first byte",
      #"""
      echo old >g; chmod 666 g; echo new >f; chmod 640 f; i=$(stat -c %i g); copy f g
      stat -c '%a %s' g; [ $i = $(stat -c %i g) ] && echo kept
      mkfifo -m 640 p; start -p p g; exec 3>p; printf x >&3; begun g; stat -c %a g
      exec 3>&-; finish; stat -c '%a %s' g
      """#,
      .stated("666 4\nkept\n600\n640 1\n")
    ),
    Trap(
      16,
      "the mask counts for what is new, or else the list of its directory",
      #"""
      echo 1 >f; chmod 666 f; mkdir -m 777 d; echo 2 >d/x; mkdir to
      setfacl -d -m u::rwx,g::rwx,o::r to; umask 077; copy f new; copy -r d newd; copy f to
      copy -r d to; copy -p f exact; stat -c '%a %n' new newd newd/x exact to/f to/d to/d/x
      """#,
      // The installed cp takes the mask from the new directory below a list.
      .stated("600 new\n700 newd\n600 newd/x\n666 exact\n664 to/f\n774 to/d\n644 to/d/x\n")
    ),
    Trap(
      17,
      "who may not give a file away still gives it the group",
      prepare: #"""
        echo 1 >f; chown 33:12 f; chmod 664 f; echo 2 >g; chown 33:33 g
        mkdir d; chown 33:12 d; chmod 755 d
        """#,
      // The superuser plays without his privileges, as in a container.
      #"""
      as=(); [ $EUID != 0 ] || as=(sandboxrun nocaps=1 --)
      behind "${as[@]}" : -p f new; behind "${as[@]}" : -p g new2; behind "${as[@]}" : -a d new3
      shape new new2 new3
      """#
    ),
    Trap(
      18,
      "lost attributes are quiet, told or fatal, as asked, and a failing disk is fatal always",
      props: [.mounts],
      // Files of ramfs have no attributes.
      prepare: "mkdir r; mount -t ramfs none r; mkdir r/{a,b,c}; chmod 777 r/*",
      #"""
      echo 1 >f; setfattr -n user.a -v 1 f; copy -a f r/a; said; copy --preserve=all f r/b; said
      copy --preserve=xattr f r/c; said; echo 2 >e; setfattr -n user.Beagle.x -v 1 e
      setfattr -n user.k -v 2 e; copy -a e new; getfattr -d new
      for e in 5 28; do behind sandboxrun deny=$SETXATTR:$e -- : -a f new2; said; done
      """#,
      .stated(
        """
        status 0
        status 0
        cp: setting attributes for 'r/c/f': Operation not supported
        status 1
        # file: new
        user.k="2"

        cp: setting attribute 'user.a' for 'new2': Input/output error
        status 1
        cp: setting attribute 'user.a' for 'new2': No space left on device
        status 1

        """
      )
    ),
    Trap(
      19,
      "attributes can be set on what will be read-only",
      #"""
      as=(); [ $EUID != 0 ] || as=(sandboxrun nocaps=1 --)
      echo 1 >f; setfattr -n user.a -v 1 f; chmod 444 f; echo old >g
      behind "${as[@]}" : -a f new; behind "${as[@]}" : -a f g; getfattr -d new g
      stat -c %a new g
      """#,
      // The installed cp thinks that the superuser needs no right to write.
      .stated("# file: new\nuser.a=\"1\"\n\n# file: g\nuser.a=\"1\"\n\n444\n444\n")
    ),
    Trap(
      20,
      "a link's own time and owner are kept",
      prepare: #"""
        mkdir t; echo 1 >t/f; ln -s f t/theirs; chown -h 12:34 t/theirs; touch -hd @3 t/theirs
        give t t/f
        """#,
      #"""
      ln -s f t/l; ln -s /nowhere t/dangling; touch -hd @7.000000009 t/l
      touch -hd @8 t/dangling; touch -d @5 t/f; copy -a t u; stat -c '%N %Y %y %u %g' u/*
      """#
    ),
  ]

  /// Access lists and what directories hand on.
  static let lists: [Trap] = [
    Trap(
      44,
      "nobody gets rights from the list of a new directory",
      #"""
      mkdir to to2; echo 1 >f; chmod 640 f; mkdir d; echo 2 >d/f; chmod 600 d/f; chmod 700 d
      setfacl -d -m u:33:rwx,g:12:rwx to; copy -p f to; copy -rp d to; copy f to/plain
      copy -r d to/plaind; echo 3 >l; setfacl -m u:44:rw l; chmod 664 l
      copy -p l to; copy l to2; copy -p l to2/kept; echo 4 >old; chmod 600 old
      setfacl -m u:33:rw old; copy -p f old; mkfifo -m 640 p
      start -p p to/m; exec 3>p; printf x >&3; begun to/m; getfacl -ce to/m; exec 3>&-; finish
      find to to2 old | sort | xargs getfacl
      """#
    ),
    Trap(
      45,
      "a directory below one that hands on its group does so too",
      #"""
      mkdir -p d/sub to; chmod 755 d d/sub; echo 1 >d/f; chgrp 12 to; chmod 2775 to
      copy -r d to; copy -r --no-preserve=mode d to/plain; copy -r d/. to; shape to
      """#
    ),
  ]
}
