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

# `text` as a block of the summary.
block() { printf '```\n%s\n```\n\n' "$text" >> "$GITHUB_STEP_SUMMARY"; }

logged report "${inputs[@]}" "${options[@]}" --out "$folder" ${APP:+--app "$APP"} || { block; exit 1; }
# A summary shows no pictures of files; they are in the folder. No two empty lines follow each other.
grep -vE '</?picture>|<source|<img' "$folder/report.md" | cat -s >> "$GITHUB_STEP_SUMMARY"
echo "folder=$folder" >> "$GITHUB_OUTPUT"
[ ${#before[@]} = 0 ] || { logged compare "${before[@]/#/--before=}" "${inputs[@]}" "${options[@]}" || failed=1; block; }
[ -z "$BUDGET" ] || { logged check "${inputs[@]}" "${options[@]}" --budget "$BUDGET" || failed=1; block; }
exit $failed
