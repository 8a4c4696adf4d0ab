// The engine's WebAssembly. It is compiled from the first moment on, while the rest of the background starts: a person
// waits for what woke it.

import { file } from './files.js';

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

/** The compiled module; one that could not be had is tried again at the next call. */
export function engineCode() {
  compiled ??= WebAssembly.compileStreaming(file('engine/nbmedic_bg.wasm')).catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

// Whoever needs it hears what is wrong.
engineCode().catch(() => {});
