// The built engine with the module that reads Python, as a background has them once a failure needed both.

import { readFileSync } from 'node:fs';

/** @param {URL} dist a built package's folder */
export async function built(dist) {
  const load = async (path) => {
    const module = await import(new URL(`${path}.js`, dist));
    const instance = await module.default({ module_or_path: readFileSync(new URL(`${path}_bg.wasm`, dist)) });
    return { module, instance };
  };
  const { module, instance } = await load('engine/nbmedic');
  const { answer } = (await load('python/python')).module;
  return {
    instance,
    answer,
    Engine: module.Engine,
    /** Starts another instance, which has no reader of Python. */
    reset: module.__wbg_reset_state,
    /** An engine that can read Python. */
    create() {
      const engine = new module.Engine();
      engine.lend(answer);
      return engine;
    },
    prose: (id) => readFileSync(new URL(`prose/${id}.json`, dist), 'utf8'),
  };
}
