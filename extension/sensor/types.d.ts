/** The shapes that the sensor, the background and the engine exchange. Nothing of this ships. */

type Rule = { is?: string; sel?: string[]; has?: string; and?: string[]; from?: string[] };
type Place = { sel: string[]; place: 'append' | 'prepend' | 'before' | 'after'; inset?: string };

/** What the self-check looks for: elements, or a resource widget whose text `has` a pattern. */
interface Landmark {
  sel?: string[];
  vitals?: string;
  has?: string;
  when?: string[];
  min?: number;
  max?: number;
  vital?: boolean;
  what: string;
  lost?: string;
}

interface Profile {
  id: string;
  name: string;
  fallback?: boolean;
  /** Read with the fallback's cells: its own are gone. */
  mixed?: boolean;
  home?: string[];
  /** What is left out here is as in this one. */
  like?: string;
  /** The page around a notebook that one of these reads, in a frame. */
  around?: string[];
  /** Pages that are allowed together. */
  origins?: string[];
  detect: string[];
  attributes: string[];
  quiet?: string;
  notebook: { root: string[]; id?: string; name: string[]; strip?: string };
  cell: { find: string; skip?: string; mirror?: string; all: string; id?: string; strip?: string; index?: string };
  state: Rule[];
  queue?: boolean;
  count: string[];
  source: { lines?: string; gap?: string; order?: 'top'; block?: string }[];
  output: { area: string[]; find: string; not?: string; has?: string; kept?: string[]; kind: { is: string; sel: string }[]; frame?: FrameRules };
  notice: { kind: string; host?: string[]; says?: string; open?: string[]; not?: string; text: string[][] }[];
  kernel: Rule[];
  vitals: { source: string; shape?: string; text: string[] }[];
  theme: { marked?: boolean; dark?: string[]; light?: string[]; surface?: string[] };
  card: Place[];
  top: Place[];
  landmarks: Record<string, Landmark>;
  build?: { sel: string; pattern: string };
  content?: string;
}

/** Where a front end shows outputs in frames of another origin: `sel` finds the frames, the rest holds in them. */
interface FrameRules {
  sel: string;
  area: string[];
  find: string;
  kind: { is: string; sel: string }[];
}

/** An output in such a frame, as the sensor in there tells it. */
interface FramedOutput {
  kind: string;
  read: { len: number; head: string; tail?: string; lines: number | null };
}

/** An event as docs/architecture.md lists them. */
interface SensorEvent {
  t: string;
  [field: string]: unknown;
}

/** A message and what goes into it. */
interface Say {
  key: keyof typeof import('../_locales/en/messages.json');
  args?: Words[];
}

/** A message, or text that is shown as it is. */
type Words = string | Say;

/** A node as the engine makes it: its messages are not said yet. */
interface SaidNode extends Omit<TreeNode, 'text' | 'kids'> {
  text?: Words;
  labels?: Record<string, Words>;
  kids?: SaidNode[];
}

interface TreeNode {
  tag: string;
  class?: string;
  text?: string;
  attrs?: Record<string, string>;
  act?: { do: string; text?: string; cell?: string; card?: string; id?: string };
  kids?: TreeNode[];
}

interface Effect {
  t: 'card' | 'uncard' | 'need' | 'badge' | 'keep';
  event?: SensorEvent;
  card?: string;
  nb?: string | null;
  cell?: string | null;
  rev?: number;
  severity?: string;
  tree?: TreeNode;
  ids?: string[];
  count?: number;
}

interface Reply {
  ack?: number;
  effects?: Effect[];
  /** The effects are the whole picture: cards not among them are gone. */
  full?: boolean;
  resync?: boolean;
  trouble?: string;
}

/** The sensor of an output frame, for one that is put into the same frame later. */
declare var nbmedicFrame: { alive(): boolean; stop(): void } | undefined;

/** The drift report's part in the page, for the background. */
declare var nbmedicOutline: ((profiles: Profile[]) => import('./outline.js').Outline | null) | undefined;
