// The engine's WebAssembly. Compilation starts at once, while the rest of the background loads, because the user is
// waiting for the event that woke it.

import { file } from './files.js';

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

/** The compiled module. If compilation fails, the next call tries again. */
export function engineCode() {
  compiled ??= WebAssembly.compileStreaming(file('engine/nbmedic_bg.wasm')).catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

// Callers that need the module get the error.
engineCode().catch(() => {});
