# Draws a terminal's output as an SVG file that plays once and ends with all lines.
#
# Lines of input: "$" and a command, or a delay in seconds and a chunk of output in which \r returns to
# the start of the line and \n begins the next one. Redrawn lines are shown at most twice a second.

function escaped(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  return text
}

# Adds the text of a row from one time to another, or to the end where `to` is negative.
function show(row, text, from, to, kind) {
  if (text == "") return
  count += 1
  place = sprintf("<text x='12' y='%d' class='%s'", 36 + row * 18, kind)
  if (to < 0)
    drawn[count] = sprintf("%s style='animation:on %.2fs step-end'>%s</text>", \
      place, from, escaped(text))
  else
    drawn[count] = sprintf("%s style='visibility:hidden;animation:now %.2fs step-end %.2fs'>%s</text>", \
      place, to - from, from, escaped(text))
}

function endLine() {
  show(row, line, begun, -1, "o")
  row += 1
  line = ""
}

BEGIN { now = 0.5 }

$1 == "$" {
  now += 1
  show(row, "$ " $2, now, -1, "c")
  row += 1
  now += 0.7
  begun = now
  line = ""
  next
}

{
  now += $1
  text = $2
  while (match(text, /\\[rn]/)) {
    line = line substr(text, 1, RSTART - 1)
    mark = substr(text, RSTART + 1, 1)
    text = substr(text, RSTART + 2)
    if (mark == "n") {
      endLine()
      begun = now
    } else if (text !~ /^\\n/) {
      # The line is drawn anew: what it held is seen until now.
      if (line != "" && now - begun >= 0.5) {
        show(row, line, begun, now, "o")
        begun = now
      }
      line = ""
      if (text != "") begun = begun == "" || now - begun >= 0.5 ? now : begun
    }
  }
  line = line text
}

END {
  height = 36 + row * 18
  printf "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='%d'", height
  printf " viewBox='0 0 720 %d' role='img' aria-label='fastcp in a terminal'>\n", height
  print "<style>text{font:13px ui-monospace,Menlo,Consolas,monospace;white-space:pre}"
  print ".o{fill:#c9d1d9}.c{fill:#7ee787}"
  print "@keyframes on{from{visibility:hidden}to{visibility:visible}}"
  print "@keyframes now{from,to{visibility:visible}}</style>"
  printf "<rect width='720' height='%d' rx='8' fill='#0d1117'/>\n", height
  for (i = 1; i <= count; i += 1) print drawn[i]
  print "</svg>"
}
