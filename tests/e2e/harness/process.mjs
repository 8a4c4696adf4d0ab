// Ends the processes that the harness started, with their children, and nothing else.
import { spawn } from 'node:child_process';

const running = new Set();

function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch {
    // It has already ended.
  }
}

// A process group of its own does not receive the Ctrl+C that ends the tests.
process.on('exit', () => {
  for (const child of running) signal(child, 'SIGKILL');
});
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    if (process.listenerCount(name) === 1) process.exit(1);
  });
}

/** Starts a process with a group of its own. Returns it with `ended`, which resolves at its exit. */
export function startGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  running.add(child);
  const ended = new Promise((done) => {
    child.once('exit', done);
    child.once('error', done);
  });
  return { child, ended };
}

/** Ends a process of `startGroup` and everything that it started. */
export async function stopGroup({ child, ended }) {
  signal(child, 'SIGTERM');
  const force = setTimeout(() => signal(child, 'SIGKILL'), 5000);
  await ended;
  clearTimeout(force);
  signal(child, 'SIGKILL');
  running.delete(child);
}
