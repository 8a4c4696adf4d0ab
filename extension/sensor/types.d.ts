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

// What is exchanged is defined in src/protocol, and protocol.d.ts and requests.d.ts are generated from there.
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
/** A node as the engine makes it: its messages are keys. */
type SaidNode = import('../protocol.js').TreeNode;

/** A node as it is shown, in the person's language. */
interface TreeNode extends Omit<SaidNode, 'text' | 'labels' | 'kids'> {
  text?: string;
  kids?: TreeNode[];
}

/** A card as it is shown. */
type CardEffect = Omit<Extract<Effect, { t: 'card' }>, 'tree'> & { tree: TreeNode };

/** The sensor of an output frame, for one that is put into the same frame later. */
declare var nbmedicFrame: { alive(): boolean; stop(): void } | undefined;

/** The drift report's part in the page, for the background. */
declare var nbmedicOutline: ((profiles: Profile[]) => import('./outline.js').Outline | null) | undefined;
