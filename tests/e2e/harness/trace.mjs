// Measures the extension's own work on a page's main thread with a Chromium trace.
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const CATEGORIES = [
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'toplevel',
  'v8',
  'disabled-by-default-v8.cpu_profiler',
];

/** Records a trace of `page` while `work` runs and returns its events. Without `samples`, the expensive profiler is off. */
export async function traced(page, work, { samples: sampling = true } = {}) {
  const file = path.join(os.tmpdir(), `nbmedic-trace-${process.pid}.json`);
  await page.tracing.start({
    path: file,
    categories: sampling ? CATEGORIES : CATEGORIES.filter((name) => !/profiler/.test(name)),
  });
  try {
    await work();
  } finally {
    await page.tracing.stop();
  }
  const { traceEvents } = JSON.parse(await readFile(file, 'utf8'));
  await rm(file, { force: true });
  return traceEvents;
}

const SCRIPTS = new Set(['FunctionCall', 'EvaluateScript', 'v8.compile']);
const ours = (url) => typeof url === 'string' && url.startsWith('chrome-extension://');

/** The main threads of the renderers, the busiest first. */
export function mainThreads(events) {
  const names = events
    .filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain')
    .map((e) => `${e.pid}:${e.tid}`);
  const busy = new Map(names.map((name) => [name, 0]));
  for (const e of events) {
    const key = `${e.pid}:${e.tid}`;
    if (e.ph === 'X' && busy.has(key) && /RunTask$/.test(e.name)) busy.set(key, busy.get(key) + e.dur);
  }
  return [...busy].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

// The profile's samples as [time, whether one of our functions is on the stack]; its nodes come in pieces.
function samples(events, main) {
  const [pid, tid] = main.split(':').map(Number);
  const profiles = new Map();
  for (const e of events) {
    if (e.pid !== pid || (e.name !== 'Profile' && e.name !== 'ProfileChunk')) continue;
    const profile = profiles.get(e.id) ?? { tid: null, nodes: new Map(), list: [] };
    profiles.set(e.id, profile);
    if (e.name === 'Profile') {
      profile.tid = e.tid;
      profile.clock = e.args.data.startTime;
      continue;
    }
    const { cpuProfile = {}, timeDeltas = [] } = e.args.data;
    for (const node of cpuProfile.nodes ?? []) {
      const parent = profile.nodes.get(node.parent);
      profile.nodes.set(node.id, {
        own: ours(node.callFrame.url) || Boolean(parent?.own),
        idle: node.callFrame.functionName === '(idle)',
      });
    }
    (cpuProfile.samples ?? []).forEach((id, i) => profile.list.push([timeDeltas[i], profile.nodes.get(id)]));
  }
  const profile =
    [...profiles.values()].find((p) => p.tid === tid) ??
    [...profiles.values()].sort((a, b) => b.list.length - a.list.length)[0];
  if (!profile) return [];
  let clock = profile.clock;
  return profile.list.map(([delta, node]) => {
    clock += delta;
    return { at: clock, delta, own: Boolean(node?.own) };
  });
}

/**
 * Work on one main thread; the default is the page's, which is the busiest.
 *
 * Times in milliseconds. There are two sources: the timeline's calls into our scripts, and the profiler's samples
 * (which include promise jobs, which the timeline does not attribute to a script). The higher figure counts, for the
 * whole and for each task.
 */
export function ownWork(events, main = mainThreads(events)[0]) {
  const here = events.filter((e) => `${e.pid}:${e.tid}` === main && e.ph === 'X' && e.dur !== undefined);
  const tasks = here
    .filter((e) => /RunTask$/.test(e.name))
    .sort((a, b) => a.ts - b.ts)
    // Two layers may report the same task; the outer one counts.
    .reduce((list, e) => {
      if (list.length && e.ts < list.at(-1).end) return list;
      list.push({ start: e.ts, end: e.ts + e.dur, calls: 0, sampled: 0 });
      return list;
    }, []);
  const at = (time) => {
    let low = 0;
    let high = tasks.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (tasks[middle].end < time) low = middle + 1;
      else if (tasks[middle].start > time) high = middle - 1;
      else return tasks[middle];
    }
    return null;
  };
  let calls = 0;
  let until = 0;
  for (const e of here
    .filter(
      (x) =>
        (x.name === 'FunctionCall' || x.name === 'EvaluateScript' || x.name === 'v8.compile') &&
        ours(x.args?.data?.url),
    )
    .sort((a, b) => a.ts - b.ts)) {
    if (e.ts < until) continue;
    until = e.ts + e.dur;
    calls += e.dur;
    const task = at(e.ts);
    if (task) task.calls += e.dur;
  }
  let sampled = 0;
  for (const sample of samples(events, main)) {
    if (!sample.own) continue;
    // A sample stands for the time since the previous one; a long gap means that the thread slept.
    const time = Math.min(sample.delta, 2000);
    sampled += time;
    const task = at(sample.at);
    if (task) task.sampled += time;
  }
  const own = tasks.map((task) => Math.max(task.calls, task.sampled));
  const ms = (us) => us / 1000;
  return {
    wall: ms(Math.max(...tasks.map((t) => t.end)) - Math.min(...tasks.map((t) => t.start))),
    busy: ms(tasks.reduce((sum, t) => sum + t.end - t.start, 0)),
    own: ms(Math.max(calls, sampled)),
    calls: ms(calls),
    sampled: ms(sampled),
    longest: ms(own.reduce((a, b) => Math.max(a, b), 0)),
    tasks: own.filter((x) => x > 0).length,
  };
}

/**
 * The extension's work on the page's main thread, in milliseconds of the thread's own time, so other load on the machine
 * does not count. A task that begins with our script counts as a whole, with its promise jobs; in other tasks only our
 * calls count: `callbacks`, the responses to changes that the page made.
 */
export function ownTasks(events) {
  const main = mainThreads(events)[0];
  const here = events
    .filter((e) => `${e.pid}:${e.tid}` === main && e.ph === 'X' && e.dur !== undefined)
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const took = (e) => (e.tdur ?? e.dur) / 1000;
  // Our observers' callbacks: they run in the page's tasks, before its own promise jobs.
  const answers = new Set(['changed']);
  const tasks = [];
  let until = 0;
  for (const e of here) {
    if (/RunTask$/.test(e.name)) {
      if (e.ts >= (tasks.at(-1)?.end ?? 0))
        tasks.push({ end: e.ts + e.dur, took: took(e), first: null, calls: 0, ms: 0 });
      continue;
    }
    const task = tasks.at(-1);
    if (!task || e.ts > task.end || !SCRIPTS.has(e.name)) continue;
    const mine = ours(e.args?.data?.url);
    task.first ??= mine && !answers.has(e.args.data.functionName);
    if (!mine || e.ts < until) continue;
    until = e.ts + e.dur;
    task.calls += 1;
    task.ms += took(e);
  }
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const mine = tasks.filter((task) => task.first).map((task) => task.took);
  const callbacks = tasks.filter((task) => !task.first && task.calls);
  return {
    own: sum(mine),
    longest: Math.max(0, ...mine),
    tasks: mine.length,
    callbacks: sum(callbacks.map((task) => task.calls)),
    callbacks_ms: sum(callbacks.map((task) => task.ms)),
    busy: sum(tasks.map((task) => task.took)),
  };
}

/** How often the extension's scripts were called, and how often the page set a mark. */
export function counted(events, mark) {
  const calls = events.filter((e) => SCRIPTS.has(e.name) && ours(e.args?.data?.url));
  return {
    calls: calls.length,
    where: [...new Set(calls.map((e) => `${e.args.data.url.split('/').slice(3).join('/')}:${e.args.data.lineNumber}`))],
    marks: events.filter((e) => e.name === mark && /user_timing/.test(e.cat)).length,
  };
}
