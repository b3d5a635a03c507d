#!/bin/sh
# Says what changed in FILE since it was last saved as your snippet @NAME, and saves it if anything did.
# usage: compare-with-last.sh FILE NAME [TOOL]
# Exit code: 0 if nothing changed, 1 if something did, 2 for an error.
set -u
file=$1 name=$2 tool=${3:-text}
if ! snipkeep get "@$name" -o /dev/null 2>/dev/null; then
  snipkeep save -t "$tool" --name "$name" "$file" >&2 || exit 2
  echo "saved for the first time: @$name"
  exit 0
fi
snipkeep diff "@$name" "$file"
changed=$?
[ "$changed" -le 1 ] || exit 2
[ "$changed" -eq 0 ] || snipkeep save -t "$tool" --name "$name" "$file" >&2 || exit 2
exit "$changed"
