#!/usr/bin/env bash
# What action.yml runs: the report, then the comparison of schemas and the budget, both whatever fails; their outcome is
# the step's summary. Ends with code 1 where there is no report, a message grew beyond its budget, or a schema breaks the
# wire.
set -uo pipefail

# A workflow's file may have the line ends of Windows.
lines() { tr -d '\r' <<< "$1" | grep -v '^[[:space:]]*$'; }
mapfile -t inputs < <(lines "$INPUTS")
mapfile -t schema < <(lines "$SCHEMA")
mapfile -t before < <(lines "$BEFORE")
type=(${TYPE:+--type="$TYPE"})
options=("${schema[@]/#/--schema=}" "${type[@]}")
folder="$RUNNER_TEMP/wirecost-report"
failed=0

# The command's output, on the log and in `text`.
logged() {
  local code
  text=$(node "$WIRECOST" "$@" 2>&1)
  code=$?
  printf '%s\n' "$text"
  return $code
}

# The lines of the standard input that fit: a summary of more than a MiB is not shown. $1: bytes, $2: where the rest is.
fitting() {
  LC_ALL=C awk -v most="$1" -v rest="$2" '(size += length($0) + 1) > most { print "\n" rest; exit } { print }'
}

# `text` as a block of the summary, under the heading $1.
block() {
  { [ -z "${1:-}" ] || printf '## %s\n\n' "$1"
    printf '```\n%s\n```\n\n' "$(fitting 200000 'The rest is in the log of this step.' <<< "$text")"; } >> "$GITHUB_STEP_SUMMARY"
}

logged report "${inputs[@]}" "${options[@]}" --out "$folder" ${APP:+--app "$APP"} || { block; exit 1; }
# A summary shows no pictures of files; they are in the folder. No two empty lines follow each other.
grep -vE '</?picture>|<source|<img' "$folder/report.md" | cat -s |
  fitting 500000 'The rest is in report.md of the output report.' >> "$GITHUB_STEP_SUMMARY"
echo "folder=$folder" >> "$GITHUB_OUTPUT"

# Whether the change adds the path $1: it is not in the checkout from before, where `schema` has it in this one.
is_new() {
  local path
  for path in "${schema[@]}"; do
    path=${path#./}
    path=${path%/}
    case "${1%/}" in */"$path") [ ! -e "$1" ] && [ -d "${1%"$path"*}" ] && return 0 ;; esac
  done
  return 1
}

known=()
for path in "${before[@]}"; do
  if is_new "$path"; then added+="$path is new: there is no version before."$'\n'; else known+=("$path"); fi
done
text=${added:-}
[ ${#known[@]} = 0 ] || { logged compare "${known[@]/#/--before=}" "${inputs[@]}" "${options[@]}" || failed=1; text="${added:-}$text"; }
[ ${#before[@]} = 0 ] || block 'Schema, compared with the one before'
[ -z "$BUDGET" ] || { logged check "${inputs[@]}" "${options[@]}" --budget "$BUDGET" || failed=1; block 'Budget'; }
exit $failed
