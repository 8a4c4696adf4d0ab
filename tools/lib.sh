# The plan runner and its progress lines, for build.sh and the other files in this folder.
# shellcheck shell=bash

LOGS="$ROOT/out/logs"
PLAN_LABEL=()
PLAN_CALL=()
# The steps that run at the same time as the one before them, by number.
PLAN_BESIDE=()
# Of each step, by number: its process (while it runs), files, exit status, and seconds by the clock and of the processor.
STEP_PID=()
STEP_LOG=()
STEP_NOTE=()
STEP_RC=()
STEP_TOOK=()
STEP_CPU=()
# Of each running step: the size of its log and its processor time when it last made progress, and when that was.
STEP_SIZE=()
STEP_USED=()
STEP_MOVED=()
# The steps that were told to end.
STEP_ENDED=()
PASSED=0
FAILED=0
# Checks that failed and then passed.
FLAKES=0
# More than this fail a run.
FLAKES_ALLOWED=2

say() { printf '%s\n' "$*"; }

die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 1
}

# note TEXT…: a step calls this to show TEXT in its progress line, besides the seconds.
note() { printf '%s' "$*" >"$NOTE"; }

# plan LABEL FUNCTION [ARG…]: adds a step.
plan() {
  local label=$1
  shift
  PLAN_LABEL+=("$label")
  PLAN_CALL+=("$(printf '%q ' "$@")")
}

# plan_beside LABEL FUNCTION [ARG…]: adds a step that runs at the same time as the step before it.
plan_beside() {
  PLAN_BESIDE[${#PLAN_LABEL[@]}]=yes
  plan "$@"
}

# Prints how many checks a step's log says have passed, failed, and passed only at a second try: the sum of cargo's, node's
# and our own summaries. A log without such a summary is one check. A step that fails without a failed check counts as one
# failure.
tally() {
  awk -v rc="$2" '
    /^test result: / { for (i = 2; i <= NF; i++) { if ($i == "passed;") p += $(i-1); if ($i == "failed;") f += $(i-1) } }
    /^[^a-zA-Z0-9]+ pass [0-9]+$/ { p += $NF }
    /^[^a-zA-Z0-9]+ (fail|cancelled) [0-9]+$/ { f += $NF }
    /^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 }
    /^flake: / { again += 1 }
    END {
      if (rc != 0 && f == 0) f = 1
      if (rc == 0 && p + f == 0) p = 1
      print p + 0, f + 0, again + 0
    }' "$1"
}

# aside FUNCTION [ARG…]: runs a step in the processor time that the steps beside it leave. On a machine that others use too,
# a still lower priority would leave so little that the step seemed to hang.
aside() {
  renice -n 10 -p "$BASHPID" >/dev/null
  "$@"
}

seconds() {
  if (($1 < 100)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

stop_children() {
  local pid
  for pid in "${STEP_PID[@]}"; do
    kill -0 "$pid" 2>/dev/null || continue
    # Each step runs in a process group of its own, so this ends its child processes too.
    kill -TERM -- "-$pid" 2>/dev/null || kill -TERM "$pid" 2>/dev/null || true
  done
}
trap stop_children EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A step that neither prints nor computes for so many seconds hangs, and one that computes for so many seconds never ends:
# both are ended, so that the rest can run. The clock alone says nothing: a step beside a compiler waits for its turn.
STEP_STALL_S=${NBMEDIC_STEP_STALL_S:-600}
STEP_CPU_S=${NBMEDIC_STEP_CPU_S:-5400}
# Seconds between two looks at that, and the share of a core, in percent, from which a step computes. Idle browsers and
# servers use less, and a slow download more.
WATCH_S=5
WATCH_SHARE=2
WATCHED=0

# The label of step I, without its mark.
step_label() { printf '%s' "${PLAN_LABEL[$1]#!}"; }

# start_step I: starts step I in the background, with its output in a log.
start_step() {
  local i=$1 slug
  slug=$(step_label "$i" | tr -cs 'a-zA-Z0-9' '-' | sed 's/^-*//; s/-*$//')
  STEP_LOG[i]="$LOGS/$slug.log"
  NOTE="$LOGS/$slug.note"
  STEP_NOTE[i]=$NOTE
  : >"$NOTE"
  rm -f "$LOGS/$slug.cpu"
  set -m
  (
    set -Eeuo pipefail
    # Of this shell, and of all its processes that have ended. A trap no longer sees this function's variables.
    # shellcheck disable=SC2064
    trap "times >$(printf %q "$LOGS/$slug.cpu")" EXIT
    eval "${PLAN_CALL[$i]}"
  ) </dev/null >"${STEP_LOG[i]}" 2>&1 &
  STEP_PID[i]=$!
  set +m
  STEP_SIZE[i]=0
  STEP_USED[i]=0
  STEP_MOVED[i]=$SECONDS
}

# Prints the processor time, in hundredths of a second, of each process named and of all that came from it: "PID TIME" lines.
# Nothing where the system has no /proc.
used_by() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v roots="$*" '
    { pid = $1; sub(/^.*\) /, ""); parent[pid] = $2; used[pid] = $12 + $13 + $14 + $15 }
    END {
      n = split(roots, root, " ")
      for (i = 1; i <= n; i++) { sum[root[i]] = 0 }
      for (pid in used) {
        for (at = pid; at in parent && !(at in sum); at = parent[at]) { }
        if (at in sum) sum[at] += used[pid]
      }
      for (i = 1; i <= n; i++) if (root[i] in used) printf "%s %d\n", root[i], sum[root[i]]
    }' || true
}

# Ends the steps among these that hang, or that compute without end.
watch_steps() {
  local i size pid used since=$((SECONDS - WATCHED))
  local -A now=()
  ((since >= WATCH_S)) || return 0
  WATCHED=$SECONDS
  while read -r pid used; do now[$pid]=$used; done < <(used_by "${STEP_PID[@]}")
  for i; do
    pid=${STEP_PID[i]-}
    [[ -n $pid && -n ${now[$pid]-} ]] || continue
    size=$(stat -c %s "${STEP_LOG[i]}")
    # Hundredths of a second of the processor, in seconds of the clock: percent of a core.
    if ((size != STEP_SIZE[i] || now[$pid] - STEP_USED[i] >= WATCH_SHARE * since)); then
      STEP_MOVED[i]=$SECONDS
    fi
    STEP_SIZE[i]=$size
    STEP_USED[i]=${now[$pid]}
    if [[ -n ${STEP_ENDED[i]-} ]]; then
      kill -KILL -- "-$pid" 2>/dev/null || true
    elif ((SECONDS - STEP_MOVED[i] >= STEP_STALL_S)); then
      end_step "$i" "neither printed nor computed for $(seconds "$STEP_STALL_S") (NBMEDIC_STEP_STALL_S)"
    elif ((now[$pid] >= STEP_CPU_S * 100)); then
      end_step "$i" "used $(seconds "$STEP_CPU_S") of the processor (NBMEDIC_STEP_CPU_S)"
    fi
  done
}

# end_step I REASON: lets step I end its own processes, which it does on a signal; the next look kills what is left.
end_step() {
  printf '\nended: this step %s\n' "$2" >>"${STEP_LOG[$1]}"
  STEP_ENDED[$1]=yes
  kill -TERM -- "-${STEP_PID[$1]}" 2>/dev/null || true
}

# Sets STEP_RC, STEP_TOOK and STEP_CPU of the steps of this group that have ended; kills those that hang. Arguments: the
# group's start in SECONDS, then its steps. Succeeds when all have ended.
reap_steps() {
  local start=$1 i pid running=
  shift
  for i; do
    pid=${STEP_PID[i]-}
    [[ -n $pid ]] || continue
    if kill -0 "$pid" 2>/dev/null; then
      running=yes
      continue
    fi
    STEP_RC[i]=0
    { wait "$pid" || STEP_RC[i]=$?; } 2>/dev/null
    STEP_TOOK[i]=$((SECONDS - start))
    STEP_CPU[i]=$(cpu_seconds "${STEP_LOG[i]%.log}.cpu")
    unset "STEP_PID[$i]"
  done
  [[ -z $running ]] && return
  watch_steps "$@"
  return 1
}

# The sum of what `times` wrote, in seconds: four figures of the form 1m2.345s. A killed step wrote nothing.
cpu_seconds() {
  [[ -s $1 ]] || return 0
  tr ' ' '\n' <"$1" | awk -F '[ms]' 'NF > 2 { sum += $1 * 60 + $2 } END { printf "%.1f", sum }'
}

# Prints every step's seconds, by the clock and of the processor, and keeps them in out/logs/times.txt.
print_times() {
  local i
  {
    printf '%8s %8s  %s\n' seconds CPU step
    for i in "${!STEP_TOOK[@]}"; do
      printf '%8d %8s  %s\n' "${STEP_TOOK[i]}" "${STEP_CPU[i]:--}" "$(step_label "$i")"
    done
    printf '%8d %8s  %s\n' "$SECONDS" "$(printf '%s\n' "${STEP_CPU[@]}" | awk '{ sum += $1 } END { printf "%.1f", sum }')" together
  } >"$LOGS/times.txt"
  say ""
  cat "$LOGS/times.txt"
}

# Names each step that failed, with the first lines that say why: a log that is cut at its beginning keeps them.
name_failures() {
  local i
  for i in "${!STEP_RC[@]}"; do
    ((STEP_RC[i] != 0)) || continue
    say "failed: $(step_label "$i")"
    grep -aE '^ *(FAIL|not ok|✖|error(\[|:)|failed:)|FAILED$|panicked at' "${STEP_LOG[i]}" | head -n 8 | cut -c 1-200 | sed 's/^/    /' || true
  done
}

# The last line that one of these steps printed, shortened.
last_words() {
  local i
  for i; do
    [[ -n ${STEP_PID[i]-} ]] || continue
    tail -c 300 "${STEP_LOG[i]}" | tr '\r' '\n' | grep -av '^ *$' | tail -n 1 | cut -c 1-100 || true
    return
  done
}

# Prints how step I ended: its note, its seconds, and for a failed one what its tests called a failure and the end of its log.
report_step() {
  local i=$1 took=${STEP_TOOK[$1]}
  if ((STEP_RC[i] != 0)); then
    printf ' FAILED after %s\n' "$(seconds "$took")"
    grep -aE -A 12 '^ *(FAIL|not ok) ' "${STEP_LOG[i]}" | head -n 40 | cut -c 1-600 | sed 's/^/    ! /' || true
    sed 's/^/    | /' "${STEP_LOG[i]}" | tail -n "${NBMEDIC_LOG_LINES:-60}"
    printf '    whole log: %s\n' "${STEP_LOG[i]#"$ROOT/"}"
  elif [[ -s ${STEP_NOTE[i]} ]]; then
    printf ' %s' "$(cat "${STEP_NOTE[i]}")"
    ((took >= 1)) && printf ', %s' "$(seconds "$took")"
    printf '\n'
  else
    printf ' %s\n' "$(seconds "$took")"
  fi
  # The terminal also gets what passed only at a second try, and what a step measured.
  sed -n '/^flake: / s/^/    /p' "${STEP_LOG[i]}"
  sed -n '/^measured:$/,$ { /^measured:$/d; s/^/    /; p }' "${STEP_LOG[i]}"
}

# run_steps I…: runs these steps at the same time and waits for all. The terminal gets one line, which ticks, and the
# results below each other where there are several. Sets STEP_RC of each.
run_steps() {
  local total=${#PLAN_LABEL[@]} start=$SECONDS beat=$SECONDS i head
  head="[$(($1 + 1))/$total] $(step_label "$1") …"
  (($# == 1)) || head="[$(($1 + 1))-$(($1 + $#))/$total] at the same time: $(for i; do step_label "$i"; printf ', '; done | sed 's/, $//') …"
  printf '%s' "$head"
  for i; do start_step "$i"; done
  while ! reap_steps "$start" "$@"; do
    sleep 0.2
    if [[ -t 1 ]]; then
      if ((SECONDS > beat)); then
        printf '\r\033[K%s %s' "$head" "$(seconds $((SECONDS - start)))"
        beat=$SECONDS
      fi
    elif ((SECONDS - beat >= 60)); then
      printf ' %s (%s) …' "$(seconds $((SECONDS - start)))" "$(last_words "$@")"
      beat=$SECONDS
    fi
  done
  [[ -t 1 ]] && printf '\r\033[K%s' "$head"
  if (($# == 1)); then
    report_step "$1"
    return
  fi
  printf '\n'
  for i; do
    printf '    %s:' "$(step_label "$i")"
    report_step "$i"
  done
}

# run_plan stop: ends at the first failure. run_plan count: continues and counts checks, unless a step failed whose label
# starts with "!": the rest needs that step.
run_plan() {
  local mode=$1 i=0 n counts passed failed again stopped total=${#PLAN_LABEL[@]}
  local -a group
  mkdir -p "$LOGS"
  while ((i < total)); do
    group=("$i")
    while [[ -n ${PLAN_BESIDE[i + 1]-} ]]; do group+=($((i += 1))); done
    i=$((i + 1))
    run_steps "${group[@]}"
    stopped=
    for n in "${group[@]}"; do
      if [[ $mode == count && ${PLAN_LABEL[n]} != '!'* ]]; then
        counts=$(tally "${STEP_LOG[n]}" "${STEP_RC[n]}")
        read -r passed failed again <<<"$counts"
        PASSED=$((PASSED + passed))
        FAILED=$((FAILED + failed))
        FLAKES=$((FLAKES + again))
      elif ((STEP_RC[n] != 0)); then
        [[ $mode == count ]] || exit 1
        FAILED=$((FAILED + 1))
        stopped=yes
      fi
    done
    if [[ -n $stopped ]]; then
      say "    The other steps need this one and were not run."
      return 0
    fi
  done
}

# Runs the plan to its end and prints how long its steps took and how many checks passed.
run_checks() {
  run_plan count
  print_times
  say ""
  name_failures
  ((FLAKES == 0)) || say "$FLAKES passed only at a second try (at most $FLAKES_ALLOWED may)"
  say "$PASSED passed, $FAILED failed"
  ((FAILED == 0 && FLAKES <= FLAKES_ALLOWED))
}

# fresh STAMP KEY: whether the step that wrote this stamp had the same key.
fresh() { [[ -f $1 && $(cat "$1") == "$2" ]]; }

# The hash of the contents of files, for stamps.
digest() { cat -- "$@" | sha256sum | cut -c 1-16; }

have() { command -v "$1" >/dev/null 2>&1; }
