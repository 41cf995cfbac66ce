#!/bin/bash
# Usage: wires.sh FOLDER LIBRARY_VERSION WIRE_VERSION… — needs what generate.sh needs; JAVA_HOME, if set, is that of the newer library, JAVA_HOME_17 that of libraries before 3.0.
# What a library writes for older nodes (StreamOutput.setVersion), as far as the library of that version reads it:
# FOLDER/LIBRARY_VERSION-WIRE_VERSION.tsv, which hold-truth.ts takes.
set -euo pipefail
folder=$(realpath "$1") library=$2
shift 2
generate=$(dirname "$(realpath "$0")")/generate.sh
"$generate" "$folder/$library.all" "$library" 4 "$@"
for wire in "$@"; do
  awk -F'\t' -v wire="$wire" '$1 == "instance" && $5 == wire' "$folder/$library.all" >"$folder/$wire.in"
  case $wire in
  3.*) home=${JAVA_HOME:-} ;;
  *) home=${JAVA_HOME_17:-${JAVA_HOME:-}} ;;
  esac
  JAVA_HOME=$home "$generate" "$folder/$library-$wire.tsv" "$wire" read "$folder/$wire.in"
  rm "$folder/$wire.in"
done
rm "$folder/$library.all"
