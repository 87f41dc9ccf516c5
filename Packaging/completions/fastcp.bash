# bash completion for fastcp                                   -*- shell-script -*-
# Made by scripts/packaging from the table of options; changes here are lost.

_fastcp()
{
  local current=${COMP_WORDS[COMP_CWORD]}
  local option='' words='' word
  COMPREPLY=()
  # The shell takes the equals sign for a word of its own.
  if [[ $current == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD-1]}
    current=''
  elif [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == --target-directory ]]; then
    option=--target-directory
  fi
  case $option in
    --backup) words="none off numbered t existing nil simple never" ;;
    --preserve) words="mode ownership timestamps links context xattr all" ;;
    --no-preserve) words="mode ownership timestamps links context xattr all" ;;
    --reflink) words="auto always never" ;;
    --sparse) words="auto always never" ;;
    --suffix) return ;;
    --target-directory) COMPREPLY=($(compgen -d -- "$current")); return ;;
    --update) words="all none none-fail older" ;;
    --context) return ;;
    --jobs) return ;;
    --progress) words="auto always never json" ;;
    --verify) words="xxh128" ;;
    --direct) words="auto always never" ;;
  esac
  if [[ -n $words ]]; then
    # Of a list the last word is completed.
    local before=''
    [[ $current != *,* ]] || before=${current%,*},
    for word in $words; do
      [[ $before$word != "$current"* ]] || COMPREPLY+=("$before$word")
    done
    return
  fi
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "--archive --atomic --attributes-only --backup --context --copy-contents --debug --dereference --direct --drop-cache --dry-run --fail-fast --force --help --interactive --jobs= --json --keep-directory-symlink --link --no-clobber --no-dereference --no-preserve= --no-target-directory --one-file-system --parents --preserve --progress --recursive --reflink --remove-destination --sparse= --stats --strip-trailing-slashes --suffix= --symbolic-link --target-directory= --tolerate-changes --update --verbose --verify --version -H -L -P -R -S -T -Z -a -b -d -f -i -l -n -p -r -s -t -u -v -x" -- "$current"))
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
    return
  fi
  compopt -o filenames
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _fastcp fastcp
