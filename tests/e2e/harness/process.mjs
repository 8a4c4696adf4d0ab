// Ending what the harness started, children included, and nothing else.

/** Ends a process that was started with `detached`, and its group; `ended` resolves at its exit. */
export async function stopGroup(child, ended) {
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch {
      // Gone already.
    }
  };
  signal('SIGTERM');
  const force = setTimeout(() => signal('SIGKILL'), 5000);
  await ended;
  clearTimeout(force);
  signal('SIGKILL');
}
