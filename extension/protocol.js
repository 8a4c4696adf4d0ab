// Generated from src/protocol by its tests. Don't edit.

export const SLOTS = {
  hello: { prefix: 'hello', fields: [] },
  notebook: { prefix: 'nb', fields: [['nb']] },
  cell: { prefix: 'cell', fields: [['nb'], ['cell']] },
  source: { prefix: 'source', fields: [['nb'], ['cell']] },
  output: { prefix: 'out', fields: [['nb'], ['cell'], ['out']] },
  outputs: { prefix: 'outs', fields: [['nb'], ['cell']] },
  removed: { prefix: 'cell', fields: [['nb'], ['cell']] },
  notice: { prefix: 'notice', fields: [['id']] },
  'notice-gone': { prefix: 'notice-gone', fields: [['id']] },
  kernel: { prefix: 'kernel', fields: [['nb']] },
  vitals: { prefix: 'vitals', fields: [['source']] },
  act: { prefix: 'act', fields: [['do'], ['card', 'id']] },
  limits: { prefix: 'limits', fields: [] },
  memory: { prefix: 'memory', fields: [['nb']] },
  judged: { prefix: 'judged', fields: [['nb'], ['cell']] },
  answered: { prefix: 'answered', fields: [['nb'], ['cell']] },
};

// Bytes; the sensor counts UTF-16 units, and the engine cuts again.
export const MAX_HEAD = 16384;
export const MAX_TAIL = 65536;
export const MAX_SOURCE = 65536;
export const MAX_NOTICE = 4096;
