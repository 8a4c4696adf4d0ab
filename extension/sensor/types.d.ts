/** Types of the data that the sensor, the background and the engine exchange. Not part of the package. */

type Rule = { is?: string; sel?: string[]; has?: string; and?: string[]; from?: string[] };
type Place = { sel: string[]; place: 'append' | 'prepend' | 'before' | 'after'; inset?: string };

/** A landmark that the self-check looks for: elements, or a resource widget whose text matches the pattern `has`. */
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
  /** Whether the fallback's cell rules are used because its own cells are not found. */
  mixed?: boolean;
  home?: string[];
  /** The profile from which missing fields are inherited. */
  like?: string;
  /** Marks the page around a notebook in a frame: the profiles that may read that notebook. */
  around?: string[];
  /** Origins that are allowed together. */
  origins?: string[];
  detect: string[];
  attributes: string[];
  quiet?: string;
  notebook: { root: string[]; id?: string; name: string[]; strip?: string };
  cell: { find: string; skip?: string; mirror?: string; all: string; id?: string; strip?: string; index?: string };
  state: Rule[];
  queue?: boolean;
  /** An exception keeps its execution count: an error without one is a run that was cut off. */
  counted?: boolean;
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

/** Rules for outputs in cross-origin frames: `sel` finds the frames; the other fields apply inside them. */
interface FrameRules {
  sel: string;
  area: string[];
  find: string;
  kind: { is: string; sel: string }[];
}

// These types are defined in src/protocol; protocol.d.ts and requests.d.ts are generated from it.
type FramedOutput = import('../requests.js').FramedOutput;
type SensorEvent = import('../protocol.js').SensorEvent;
type Effect = import('../protocol.js').Effect;
type CellState = import('../protocol.js').CellState;
type KernelStatus = import('../protocol.js').KernelStatus;
type NoticeKind = import('../protocol.js').NoticeKind;
type OutputKind = import('../protocol.js').OutputKind;
type Theme = import('../protocol.js').Theme;
type Reply = import('../requests.js').Reply;
type Words = import('../protocol.js').Words;
/** A node as created by the engine: its messages are keys. */
type SaidNode = import('../protocol.js').TreeNode;

/** A node as displayed, in the user's language. */
interface TreeNode extends Omit<SaidNode, 'text' | 'labels' | 'kids'> {
  text?: string;
  kids?: TreeNode[];
}

/** A card as displayed. */
type CardEffect = Omit<Extract<Effect, { t: 'card' }>, 'tree'> & { tree: TreeNode };

/** The sensor of an output frame, for a sensor injected into the same frame later. */
declare var nbmedicFrame: { alive(): boolean; stop(): void } | undefined;

/** The drift report's function in the page, called by the background. */
declare var nbmedicOutline: ((profiles: Profile[]) => import('./outline.js').Outline | null) | undefined;
