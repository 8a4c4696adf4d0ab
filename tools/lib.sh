# Shared by build.sh and the files beside this one: the plan runner and its progress lines.
# shellcheck shell=bash

LOGS="$ROOT/out/logs"
PLAN_LABEL=()
PLAN_CALL=()
PASSED=0
FAILED=0
CHILD=

say() { printf '%s\n' "$*"; }

die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 1
}

# Called inside a step: what its progress line says instead of the seconds alone.
note() { printf '%s' "$*" >"$NOTE"; }

# plan LABEL FUNCTION [ARG…]: adds a step.
plan() {
  local label=$1
  shift
  PLAN_LABEL+=("$label")
  PLAN_CALL+=("$(printf '%q ' "$@")")
}

# A step's log tells how many checks ran: cargo's, node's and our own summaries are added up.
# A step without such a line is one check. A step that fails without a failed check counts as one.
tally() {
  awk -v rc="$2" '
    /^test result: / { for (i = 2; i <= NF; i++) { if ($i == "passed;") p += $(i-1); if ($i == "failed;") f += $(i-1) } }
    /^[^a-zA-Z0-9]+ pass [0-9]+$/ { p += $NF }
    /^[^a-zA-Z0-9]+ (fail|cancelled) [0-9]+$/ { f += $NF }
    /^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 }
    END {
      if (rc != 0 && f == 0) f = 1
      if (rc == 0 && p + f == 0) p = 1
      print p + 0, f + 0
    }' "$1"
}

seconds() {
  if (($1 < 100)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

stop_child() {
  if [[ -n $CHILD ]] && kill -0 "$CHILD" 2>/dev/null; then
    # The step runs in a process group of its own, so this ends its children too.
    kill -TERM -- "-$CHILD" 2>/dev/null || kill -TERM "$CHILD" 2>/dev/null || true
  fi
}
trap stop_child EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# No step takes this long, on a bare machine either: what does, hangs, and is ended so that the rest is told.
STEP_LIMIT_S=${NBMEDIC_STEP_LIMIT_S:-1500}

# Runs one step with its output in a log; the terminal gets one line, which ticks.
# Sets STEP_RC.
run_step() {
  local label=$1 call=$2 n=$3 total=$4
  local slug log start now beat last
  slug=$(printf '%s' "$label" | tr -cs 'a-zA-Z0-9' '-' | sed 's/^-*//; s/-*$//')
  log="$LOGS/$slug.log"
  NOTE="$LOGS/$slug.note"
  : >"$NOTE"
  printf '[%d/%d] %s …' "$n" "$total" "$label"
  start=$SECONDS
  beat=$start
  set -m
  (
    set -Eeuo pipefail
    trap - EXIT
    eval "$call"
  ) </dev/null >"$log" 2>&1 &
  CHILD=$!
  set +m
  while kill -0 "$CHILD" 2>/dev/null; do
    sleep 0.2
    now=$SECONDS
    if ((now - start > STEP_LIMIT_S)); then
      printf '\nended: this step went on for more than %s (NBMEDIC_STEP_LIMIT_S)\n' "$(seconds "$STEP_LIMIT_S")" >>"$log"
      kill -KILL -- "-$CHILD" 2>/dev/null || true
    fi
    if [[ -t 1 ]]; then
      if ((now > beat)); then
        printf '\r\033[K[%d/%d] %s … %s' "$n" "$total" "$label" "$(seconds $((now - start)))"
        beat=$now
      fi
    elif ((now - beat >= 60)); then
      last=$(tail -c 300 "$log" | tr '\r' '\n' | grep -av '^ *$' | tail -n 1 | cut -c 1-100 || true)
      printf ' %s (%s) …' "$(seconds $((now - start)))" "$last"
      beat=$now
    fi
  done
  STEP_RC=0
  wait "$CHILD" || STEP_RC=$?
  CHILD=
  [[ -t 1 ]] && printf '\r\033[K[%d/%d] %s …' "$n" "$total" "$label"
  if ((STEP_RC != 0)); then
    printf ' FAILED after %s\n' "$(seconds $((SECONDS - start)))"
    sed 's/^/    | /' "$log" | tail -n "${NBMEDIC_LOG_LINES:-60}"
    printf '    whole log: %s\n' "${log#"$ROOT/"}"
  elif [[ -s $NOTE ]]; then
    printf ' %s' "$(cat "$NOTE")"
    ((SECONDS - start >= 1)) && printf ', %s' "$(seconds $((SECONDS - start)))"
    printf '\n'
  else
    printf ' %s\n' "$(seconds $((SECONDS - start)))"
  fi
  # What a step measured is for the terminal too.
  sed -n '/^measured:$/,$ { /^measured:$/d; s/^/    /; p }' "$log"
  LAST_LOG=$log
}

# run_plan stop: ends at the first failure. run_plan count: goes on, counts checks; a step whose
# label starts with "!" is one that the rest needs, so its failure ends the run all the same.
run_plan() {
  local mode=$1 i label must counts total=${#PLAN_LABEL[@]}
  mkdir -p "$LOGS"
  for i in "${!PLAN_LABEL[@]}"; do
    label=${PLAN_LABEL[$i]}
    must=
    if [[ $label == '!'* ]]; then
      must=yes
      label=${label#!}
    fi
    run_step "$label" "${PLAN_CALL[$i]}" $((i + 1)) "$total"
    if [[ $mode == count && -z $must ]]; then
      counts=$(tally "$LAST_LOG" "$STEP_RC")
      PASSED=$((PASSED + ${counts% *}))
      FAILED=$((FAILED + ${counts#* }))
    elif ((STEP_RC != 0)); then
      [[ $mode == count ]] || exit 1
      FAILED=$((FAILED + 1))
      say "    the rest needs this step and was not run"
      return 0
    fi
  done
}

# fresh STAMP KEY: whether the step that wrote this stamp ran with the same key.
fresh() { [[ -f $1 && $(cat "$1") == "$2" ]]; }

# The hash of files' contents, for stamps.
digest() { cat -- "$@" | sha256sum | cut -c 1-16; }

have() { command -v "$1" >/dev/null 2>&1; }
