/** What the background is asked, by the message's `kind`: from sensors, and from the extension's own pages. */

/** What sensors ask. `page` is the sensor's own id of its page. */
export interface SensorRequests {
  /** A sensor begins: `began` is when its document did, in milliseconds since 1970. */
  connect: { page: string; began: number };
  /** A batch of events, numbered from 1. */
  events: { page: string; seq: number; events: SensorEvent[] };
  /** A click on a card. */
  ask: { page: string; what: 'report' | 'preview' | 'panel' | 'rule'; format?: string; id?: string };
  /** From the sensor of a frame to that of the page. */
  frame: Record<string, unknown>;
  /** From the sensor of a page to those of its frames. */
  frames: Record<string, unknown>;
  hurry: { frame: number };
  /** Between the sensor of a page and that of the notebook in a frame of it. */
  around: { around?: string[]; events?: SensorEvent[] };
}

/** What the popup, the side panel and the other pages ask to be shown. `tab` is the browser's number. */
export interface ViewRequests {
  status: { tab: number; origin: string };
  panel: { tab: number };
  draft: { tab: number; page?: string; wanted?: { format?: string; source?: boolean; back?: number[] } };
  history: {};
  drift: { tab: number };
  triage: { text: string; name?: string };
  example: { text: string };
  health: {};
  options: {};
}

/** What they ask to be done. */
export interface ActionRequests {
  insert: { tab: number };
  act: { tab: number; do: 'mute' | 'goto'; id?: string; name?: string; cell?: string };
  again: { tab: number };
  unmute: { id: string };
  set: { set: unknown };
  turn: { origin: string; on: boolean };
  'set-notify': { on: boolean };
  'allow-changed': {};
  'forget-history': {};
  'forget-all': {};
  reset: {};
}

/** A message as it comes: its fields have names, and whoever uses one makes sure of its type. */
export type Untrusted<Fields> = { [Name in keyof Fields]?: unknown };

/** A handler for each kind of message. */
export type Handlers<Requests, Context extends unknown[] = []> = {
  [Kind in keyof Requests]: (message: Untrusted<Requests[Kind]>, ...context: Context) => unknown;
};
