#!/usr/bin/env bash
# The second step of action.yml: annotates a run with what went wrong in NBMEDIC_PATHS (one path a line). A problem fails it unless
# NBMEDIC_FAIL is "false"; an input that can't be read always does. NBMEDIC_SARIF names a file for a SARIF log.
set -u

paths=()
while IFS= read -r path; do
  [ -z "$path" ] || paths+=("$path")
done <<<"${NBMEDIC_PATHS:-.}"

if [ -n "${NBMEDIC_SARIF:-}" ]; then
  nbmedic triage --format sarif -- "${paths[@]}" >"$NBMEDIC_SARIF"
  [ $? -le 1 ] || exit 2
fi
nbmedic triage --format github -- "${paths[@]}"
status=$?
[ "$status" -ne 1 ] || [ "${NBMEDIC_FAIL:-true}" != false ] || status=0
exit "$status"
