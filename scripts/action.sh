#!/usr/bin/env bash
# What action.yml runs: the report, the comparison of schemas and the budget, all of them, whatever fails; their outcome
# is the step's summary. Ends with code 1 where a message grew beyond its budget or a schema breaks the wire.
set -uo pipefail

lines() { grep -v '^[[:space:]]*$' <<< "$1"; }
mapfile -t inputs < <(lines "$INPUTS")
mapfile -t schema < <(lines "$SCHEMA")
mapfile -t before < <(lines "$BEFORE")
type=(${TYPE:+--type="$TYPE"})
options=("${schema[@]/#/--schema=}" "${type[@]}")
folder="$RUNNER_TEMP/wirecost-report"
failed=0

# The command's output as a block of the summary, and on the log.
block() {
  local text
  text=$(node "$WIRECOST" "$@" 2>&1) || failed=1
  printf '%s\n' "$text"
  printf '```\n%s\n```\n\n' "$text" >> "$GITHUB_STEP_SUMMARY"
}

node "$WIRECOST" report "${inputs[@]}" "${options[@]}" --out "$folder" ${APP:+--app "$APP"} || exit 1
# A summary shows no pictures of files; they are in the folder.
grep -vE '</?picture>|<source|<img' "$folder/report.md" >> "$GITHUB_STEP_SUMMARY"
echo "folder=$folder" >> "$GITHUB_OUTPUT"
[ ${#before[@]} = 0 ] || block compare "${before[@]/#/--before=}" "${inputs[@]}" "${options[@]}"
[ -z "$BUDGET" ] || block check "${inputs[@]}" "${options[@]}" --budget "$BUDGET"
exit $failed
