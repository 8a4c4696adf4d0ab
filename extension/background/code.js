// The WebAssembly modules. Compilation of the engine starts at once, while the rest of the background loads, because the
// user is waiting for the event that woke it. The one that reads Python is compiled when it is needed.

import { file } from './files.js';

/** Compiles a module once. If that fails, the next call tries again. @param {string} path */
function compiler(path) {
  /** @type {Promise<WebAssembly.Module> | null} */
  let compiled = null;
  return () =>
    (compiled ??= WebAssembly.compileStreaming(file(path)).catch((error) => {
      compiled = null;
      throw error;
    }));
}

/** The compiled engine. */
export const engineCode = compiler('engine/nbmedic_bg.wasm');
/** The compiled module that reads Python. */
export const pythonCode = compiler('python/python_bg.wasm');

// Callers that need the module get the error.
engineCode().catch(() => {});
