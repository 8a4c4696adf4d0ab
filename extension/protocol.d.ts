// Generated from src/protocol by its tests. Don't edit.

/** What the person asks for. */
export type Act = {
  /** What to do. */
  do: ActKind;
  /** The key of the card to dismiss. */
  card: string | null;
  /** The diagnosis to mute or unmute, or `@` and the checksum of a cell's code. */
  id: string | null;
};

/** What the person asks for. */
export type ActKind = "dismiss" | "mute" | "unmute" | "unknown";

/** What a click on a node does. */
export type Action =
  | {
    "do": "copy";
    /** What is copied. */
    text: string;
  }
  | {
    "do": "goto";
    /** The cell's id. */
    cell: string;
  }
  | {
    "do": "below";
    /** The cell's id. */
    cell: string;
    /** The code. */
    text: string;
  }
  | {
    "do": "replace";
    /** The cell's id. */
    cell: string;
    /** The code. */
    text: string;
    /** What stands in the cell now: if it is something else by then, nothing is changed. */
    was: string;
  }
  | { "do": "probe" }
  | {
    "do": "assistant";
    /** The card's key. */
    card: string;
  }
  | { "do": "preview" }
  | {
    "do": "rule";
    /** The diagnosis. */
    id: string;
    /** Its variant; empty without one. */
    variant?: string;
  }
  | {
    "do": "drift";
    /** What a notice says that no rule knows, if the person adds it. */
    words?: string;
  }
  | {
    "do": "dismiss";
    /** The card's key. */
    card: string;
  }
  | {
    "do": "mute";
    /** The diagnosis, or `@` and a checksum of the cell's code. */
    id: string;
    /** What people know the cell by; empty for a diagnosis. */
    name?: string;
  };

/** What the reader of the cells' Python answered about a cell, stored so that a replay needs no reader. */
export type Answered = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
  /** A checksum of the engine's build and the answers: it holds for nothing else. */
  of: string;
  /** The answers with their questions' checksums, as the engine writes them. */
  text: string;
};

/** A cell and what it is doing. */
export type CellSeen = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
  /** Position among the notebook's cells, from 0. */
  index: number;
  /** What it is doing. */
  state: CellState;
  /** Execution count; null: none is shown. */
  count: number | null;
  /** Starts that the sensor saw. */
  run: number;
  /**
   * The last run was running and ended without a count or an error: it was interrupted before
   * anything was shown, or the kernel is gone.
   */
  cut?: boolean;
};

/** What a cell is doing. */
export type CellState = "idle" | "pending" | "running" | "done" | "error" | "stale" | "unknown";

/** One thing to do. */
export type Effect =
  | {
    "t": "card";
    /** The card's key. */
    card: string;
    /** The notebook; `null`: none is on the page. */
    nb: string | null;
    /** The cell; `null`: show it at the notebook's top. */
    cell: string | null;
    /** A checksum of the tree: the same tree has the same one. */
    rev: number;
    /** `error`, `warning` or `info`. */
    severity: 'error' | 'warning' | 'info';
    /** What is shown. */
    tree: TreeNode;
  }
  | {
    "t": "uncard";
    /** The card's key. */
    card: string;
  }
  | {
    "t": "need";
    /** Diagnoses whose prose is missing, in order. */
    ids: Array<string>;
    /** The module that reads the cells' Python and makes cures is missing. */
    python: boolean;
  }
  | {
    "t": "badge";
    /** The number. */
    count: number;
  }
  | {
    "t": "keep";
    /** Its slot. */
    key: string;
    /** The event. */
    event: SensorEvent;
  };

/** The page that the sensor watches. Sent first, and again when `found` or `theme` changes. */
export type Hello = {
  /** The front end's profile. */
  profile: string;
  /** Scheme and host of the page. */
  origin: string;
  /**
   * How often each landmark of the profile was found. One that is absent and not expected now is
   * left out.
   */
  found: { [key in string]: number };
  /** The page's colour scheme. */
  theme: Theme;
};

/**
 * What the engine found in a cell's output: a replay of the stored events then needs no second look.
 * The background hands these to the engine before the other events of a page.
 */
export type Judged = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
  /**
   * A checksum of the engine's build, the text, the cell's source and what was found: it holds for
   * nothing else.
   */
  of: string;
  /** What was found, as the engine writes it; empty: nothing. */
  found: string;
  /** The diagnoses whose prose a card needs. */
  prose: Array<string>;
};

/** The kernel's status. */
export type KernelSeen = {
  /** The notebook. */
  nb: string;
  /** The status. */
  status: KernelStatus;
};

/** The kernel's status, as the front end shows it. */
export type KernelStatus = "idle" | "busy" | "starting" | "restarting" | "autorestarting" | "dead" | "connecting" | "disconnected" | "unknown";

/**
 * When the person wants to be warned of what has not failed yet. The background sends it before
 * anything else of a page.
 */
export type Limits = {
  /** Never. */
  quiet: boolean;
  /** Minutes before RAM or device memory is full; 0: never. */
  memory: number;
  /** Minutes before the disk is full; 0: never. */
  disk: number;
  /** Least use of memory or disk, in percent. */
  full: number;
  /** Minutes that a cell runs without saving anything; 0: never. */
  unsaved: number;
};

/** One line of an event log. */
export type LogLine = {
  /** When the batch came, in milliseconds since 1970. */
  at: number;
  /** The page. */
  page: string;
  /** What happened. */
  events: Array<SensorEvent>;
};

/**
 * Conclusions about one notebook. JavaScript reads the notebook and sets `old`; the rest is the
 * engine's.
 */
export type Memory = { nb: string; old?: boolean; [field: string]: unknown };

/** A notebook on the page. */
export type NotebookSeen = {
  /** The notebook. */
  nb: string;
  /** Its name. */
  name: string;
};

/** A notice closed. */
export type NoticeGone = {
  /** The notice. */
  id: string;
};

/** How a notice is shown. */
export type NoticeKind = "toast" | "dialog" | "banner" | "unknown";

/** A toast, dialog or banner. */
export type NoticeSeen = {
  /** The notebook; null: not known. */
  nb: string | null;
  /** The notice. An id is never used again for another notice. */
  id: string;
  /** How it is shown. */
  kind: NoticeKind;
  /** What it says, at most 4 KiB. */
  text: string;
  /** It was open before the sensor came. */
  old: boolean;
};

/** What an output is. */
export type OutputKind = "stream" | "error" | "result" | "rich" | "unknown";

/** A window on one output: its beginning and its end. */
export type OutputSeen = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
  /** Position among the cell's outputs, from 0. */
  out: number;
  /** The run that printed it. */
  run: number;
  /** What it is. */
  kind: OutputKind;
  /**
   * Length of the whole output, in UTF-16 units. A lower bound where the output has too many nodes
   * to count.
   */
  len: number;
  /** The beginning, at most 16 KiB. */
  head: string;
  /** The end, at most 64 KiB. It may overlap the head; absent where the head holds the whole output. */
  tail?: string | null;
  /** Newlines before the tail; null or absent where they were not counted. */
  lines?: number | null;
};

/** How many outputs a cell has. */
export type OutputsSeen = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
  /** The number of outputs. Those from this position on are gone. */
  n: number;
};

/** A cell is gone, and its source and outputs with it. */
export type Removed = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
};

/** A message with its arguments. */
export type Say = {
  /** Which message. */
  key: keyof typeof import('./_locales/en/messages.json');
  /** What goes into it, in the order of its `$1` to `$9`. */
  args?: Array<Words>;
};

/** One thing that a sensor saw, that the person asked for, or that the engine concluded. */
export type SensorEvent =
  | { "t": "hello" } & Hello
  | { "t": "notebook" } & NotebookSeen
  | { "t": "cell" } & CellSeen
  | { "t": "source" } & SourceSeen
  | { "t": "output" } & OutputSeen
  | { "t": "outputs" } & OutputsSeen
  | { "t": "removed" } & Removed
  | { "t": "notice" } & NoticeSeen
  | { "t": "notice-gone" } & NoticeGone
  | { "t": "kernel" } & KernelSeen
  | { "t": "vitals" } & VitalsSeen
  | { "t": "act" } & Act
  | { "t": "limits" } & Limits
  | { "t": "memory" } & Memory
  | { "t": "judged" } & Judged
  | { "t": "answered" } & Answered;

/**
 * The source of a cell. Sent before the event of a run that begins, and for every changed cell when
 * a run ends that printed what may be an error.
 */
export type SourceSeen = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
  /** The source, at most 64 KiB. Lines that an editor doesn't draw are empty. */
  text: string;
};

/** An element that a tree may hold. Renderers create no other. */
export type Tag = "section" | "header" | "footer" | "div" | "p" | "span" | "strong" | "em" | "code" | "pre" | "ul" | "ol" | "li" | "h2" | "h3" | "h4" | "details" | "summary" | "button" | "a" | "small" | "table" | "thead" | "tbody" | "tr" | "th" | "td" | "dl" | "dt" | "dd" | "mark" | "del" | "ins" | "svg" | "path" | "line";

/** The page's colour scheme. */
export type Theme = "light" | "dark" | "unknown";

/**
 * One element: its text comes before its children. Everything in it is plain text; no renderer
 * reads markup out of it. What nbmedic says is a message until it is shown.
 */
export type TreeNode = {
  /** The element. */
  tag: Tag;
  /** Space-separated class names. */
  class?: string;
  /** Text before the children. */
  text?: Words;
  /**
   * `aria-*`, `role`, `lang`, `hidden`, `open`, `id`, `type`, `data-*`, and `href` with an
   * `https:` address; on the elements of a picture, numbers and words of its geometry.
   */
  attrs?: { [key in string]: string };
  /** Attributes that people read or hear: `aria-label` and `title`. */
  labels?: { [key in string]: Words };
  /** What a click does. */
  act?: Action | null;
  /** Children, in order. */
  kids?: Array<TreeNode>;
};

/** What a resource widget shows. */
export type VitalsSeen = {
  /** The notebook; null: not known. */
  nb: string | null;
  /** The widget's text, at most 4 KiB; empty when the widget is gone. */
  text: string;
  /** Which widget, as the profile names it. */
  source: string;
};

/** What people read: a message of nbmedic's, or text from elsewhere. */
export type Words = string | Say;

/** The slot of each event: a prefix, then fields, of alternatives the first that has a value. */
export const SLOTS: Record<string, { prefix: string; fields: string[][] } | undefined>;
export const MAX_HEAD: number;
export const MAX_TAIL: number;
export const MAX_SOURCE: number;
export const MAX_NOTICE: number;
