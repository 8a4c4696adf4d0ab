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
  | { "do": "report" }
  | { "do": "preview" }
  | { "do": "panel" }
  | {
    "do": "rule";
    /** The diagnosis. */
    id: string;
  }
  | { "do": "drift" }
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

/** What the extension's pages ask to be done. The answer is `Done`. */
export type ActionRequest =
  | {
    "kind": "insert";
    /** The tab. */
    tab: number;
  }
  | { "kind": "act" } & ViewAct
  | {
    "kind": "again";
    /** The tab. */
    tab: number;
  }
  | {
    "kind": "unmute";
    /** The diagnosis or cell. */
    id: string;
  }
  | {
    "kind": "set";
    /** All settings. */
    set: Settings;
  }
  | {
    "kind": "turn";
    /** The origin. */
    origin: string;
    /** On or off. */
    on: boolean;
  }
  | {
    "kind": "set-notify";
    /** On or off. */
    on: boolean;
  }
  | { "kind": "allow-changed", }
  | { "kind": "forget-history", }
  | { "kind": "forget-all", }
  | { "kind": "reset", };

/** Notices and widgets of the page around a notebook. */
export type Around = {
  /** The profiles whose notebooks stand in frames of this page. */
  around?: Array<string>;
  /** `notice`, `notice-gone` and `vitals` events. */
  events?: Array<SensorEvent>;
};

/** What a card asks for. */
export type Asked = "report" | "preview" | "panel" | "rule";

/** A reading and how old it was. */
export type Before =
  | {
    /** The reading. */
reading: { known: { used: number, total: number | null } }
    | { missing: string };
    /** Its age, in milliseconds. */
    age: number;
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

/** A session's curves. */
export type Chart = {
  /** The time at the left edge, in milliseconds since 1970. */
  from: number;
  /** The time at the right edge. */
  to: number;
  /** Readings further apart than this many milliseconds are not joined by a line. */
  gap: number;
  /** The curves. */
  series: Array<Series>;
  /** Runs of cells. */
  spans: Array<Span>;
  /** What happened. */
  marks: Array<Mark>;
};

/** A CUDA context that is dead since a cell's run. */
export type Context = {
  /** The diagnosis that killed it. */
  id: string;
  /** The cell. */
  cell: string;
  /** Its run. */
  run: number;
  /** Its execution count. */
  count: number | null;
  /** What people call the cell. */
  label: string;
  /** The kernel has not been restarted since. */
  open: boolean;
  /** Cells and runs that failed because of it. */
  members: Array<[string, number]>;
};

/** A card that the person took away. */
export type Dismissed = {
  /** The card. */
  card: string;
  /** The cell's run then. */
  run: number;
  /** The incident shown then; 0: none. */
  n: number;
};

/** Whether it was done. */
export type Done = {
  /** It was. */
  done: boolean;
};

/** A report as it would leave. */
export type Draft = {
  /** Exactly what would leave. */
  text: string;
  /** What an HTML report shows; absent for what is read as text. */
  tree?: TreeNode;
  /** The title of the first problem; empty without one. */
  title: string;
  /** The number of problems. */
  problems: number;
  /** The number of entries in the timelines. */
  events: number;
  /** The number of versions that are named. */
  versions: number;
  /** The number of failing cells whose source could be included. */
  sources: number;
  /** What was redacted, and what the person put back. */
  taken: Array<Taken>;
};

/** A report before it leaves, and the pages that there could be one of. */
export type DraftOf = {
  /** The report; null: there is no page. */
  draft: Draft | null;
  /** The page that it is of. */
  page: string;
  /** The tab's pages. */
  pages: Array<PageOrigin>;
  /** When it was made, in milliseconds since 1970. */
  at: number;
};

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
    /** Diagnoses, in order. */
    ids: Array<string>;
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

/** A notebook's cards. */
export type Example = {
  /** The cards; null: the notebook can't be read. */
  tree: TreeNode | null;
  /** The same as Markdown. */
  markdown: string;
  /** The style sheet of cards. */
  css: string;
};

/** How a kernel ended, as the probe recorded it. */
export type Flight = {
  /** When, by the machine's clock, in milliseconds since 1970. */
  at: number;
  /** It ended without an error: a restart, a shutdown. */
  clean: boolean;
  /** The diagnosis; empty: what was seen does not tell, or it was no crash. */
  id: string;
  /** How sure it is, in percent. */
  sure: number;
  /** The signal that ended it; 0: none, or not known. */
  signal: number;
  /** What a crash is called; empty: it was none. */
  reason?: string;
  /** When it was read, by the page's clock, in milliseconds since 1970. */
  seen: number;
  /** What speaks for it, and what was written down. */
  speaks: Array<string>;
  /** What speaks against it. */
  against: Array<string>;
};

/**
 * What the sensor of an output frame says. It announces itself with `at`, repeats the `word` that
 * it heard, and then sends its outputs.
 */
export type FrameNews = {
  /** The frame's place among the page's windows, from 0. */
  at?: number;
  /** The word that the page's sensor posted into the frame. */
  word?: string;
  /** How many outputs the frame has; at most 256. */
  n?: number;
  /** Those that changed, with their positions from 0. */
  outs?: Array<[number, FramedOutput]>;
};

/** An output in a frame. */
export type FramedOutput = {
  /** What it is. */
  kind: OutputKind;
  /** A window on it. */
  read: Window;
};

/** What a report about nbmedic itself is made of. */
export type Health = {
  /** nbmedic's version. */
  version: string;
  /** What the browser calls itself. */
  browser: string;
  /** What is stored. */
  usage: Usage;
  /** What failed. */
  troubles: Array<Trouble>;
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

/** The kernel died, or the front end said something that needs explaining. */
export type Incident = {
  /** Its number in the notebook, from 1. */
  n: number;
  /** When, in milliseconds since 1970. */
  at: number;
  /** The kernel or the runtime is gone. */
  fatal: boolean;
  /** The cell that was running. */
  cell: string | null;
  /** The cell's run. */
  run: number;
  /** All runs that the notebook had seen by then. */
  runs: number;
  /** How long the cell had been running, in milliseconds. */
  ran: number | null;
  /** What the front end said. */
  notices: Array<Said>;
  /** The status that told of it. */
  status: KernelStatus | null;
  /** Memory of the runtime before. */
  ram: Before | null;
  /** Device memory before. */
  gpu: Before | null;
  /** Disk before. */
  disk: Before | null;
  /** How long the runtime had been seen, in milliseconds. */
  age: number;
  /** How long nothing had run, in milliseconds. */
  idle: number;
  /** The most that one line of the running cell asks for, in bytes; 0: nothing can be read off it. */
  wants: number;
  /** That line, or the line with which the cell ends its own kernel; from 1, 0: none. */
  line: number;
  /** The running cell ends its own kernel. */
  asked: boolean;
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

/** Something that happened at one moment. */
export type Mark = {
  /** When, in milliseconds since 1970. */
  at: number;
  /** `failure`, `death`, `restart` or `install`. */
  kind: string;
  /** What, for people. */
  label: string;
};

/** Conclusions about one notebook. */
export type Memory = {
  /** The notebook; empty: none was on the page. */
  nb: string;
  /** The notebook's name: after a reload of the page it may have another id. */
  name?: string;
  /** It is of the page that stood here before a reload. */
  old?: boolean;
  /** Number given to the last incident. */
  last: number;
  /** What happened to the session, oldest first. */
  incidents?: Array<Incident>;
  /** Runs of cells that failed on the device and were looked at. */
  faults?: Array<[string, number]>;
  /** CUDA contexts that died, oldest first. */
  contexts?: Array<Context>;
  /** Notices that need no further look. */
  handled?: Array<string>;
  /** Cards that the person took away. */
  dismissed?: Array<Dismissed>;
  /** The kernel's status when this was kept: the same one told again is nothing new. */
  status: KernelStatus;
  /** When the runtime was first seen, in milliseconds since 1970; 0: not yet. */
  born: number;
  /** Since when the present kernel runs, as far as a restart was seen; 0: none was. */
  boot: number;
  /** Restarts: why (`person`, `died`, `unseen`) and when, in seconds since 1970. */
  restarts?: Array<[string, number]>;
  /** The last runs of cells, oldest first. */
  runs?: Array<Ran>;
  /**
   * Samples of the resource widgets, oldest first: seven numbers each, the time and then use and
   * limit of memory, device memory and disk in KiB, -1 where not shown.
   */
  samples?: Array<number>;
  /**
   * What the probe said of processors and disks, oldest first: six numbers each, the time and then in
   * percent all processors, the kernel of one, the GPU, the busiest disk and the time in which
   * disks are waited for, -1 where not known.
   */
  loads?: Array<number>;
  /** Ends of kernels that the probe recorded, in the order in which they were read. */
  flights?: Array<Flight>;
  /** Of what was warned, and in which run: `ram`, `gpu`, `disk`, `clock`, and the cell. */
  warned?: Array<[string, number]>;
};

/** Something muted. */
export type Muted = {
  /** The diagnosis, or `@` and the checksum of a cell's code. */
  id: string;
  /** What people call the cell; empty for a diagnosis. */
  name: string;
};

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

/** What the person set, allowed and muted. */
export type Options = {
  /** Match patterns of what may be read. */
  allowed: Array<string>;
  /** Notifications are on. */
  notify: boolean;
  /** What is stored. */
  usage: Usage;
  /** What is muted. */
  muted: Array<Muted>;
  /** Settings. */
  set: Settings;
};

/** How a run of a cell ended. */
export type Outcome = "running" | "well" | "failed";

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

/** A page of a tab. */
export type PageOrigin = {
  /** The page. */
  page: string;
  /** Scheme and host. */
  origin: string;
};

/** What is seen of a page. */
export type PageStatus = {
  /** The page. */
  page: string;
  /** Scheme and host. */
  origin: string;
  /** The browser's number of its frame. */
  frame: number;
  /** Its view. */
  tree: TreeNode | null;
};

/** One reading. */
export type Point = {
  /** When, in milliseconds since 1970. */
  at: number;
  /** Bytes in use. */
  used: number;
  /** Bytes there are; 0: not shown. */
  total: number;
};

/** A run of a cell. */
export type Ran = {
  /** The cell. */
  cell: string;
  /** Its run. */
  run: number;
  /** A checksum of its source when it started. */
  source: number;
  /** The execution count with which it ended. */
  count: number | null;
  /** When it started, in milliseconds since 1970. */
  start: number;
  /** When it ended; 0: it runs. */
  end: number;
  /** It ended without an error. */
  well: boolean;
  /**
   * Memory, device memory and disk in use before, at most, and after: nine numbers, in KiB, -1
   * where not shown; empty where nothing is shown.
   */
  levels?: Array<number>;
  /** The last line that it printed. */
  tail?: string;
  /** What was found in its output; empty: nothing. */
  id?: string;
  /** Packages that it replaced although the kernel had loaded them. */
  packages?: Array<string>;
};

/** A cell is gone, and its source and outputs with it. */
export type Removed = {
  /** The notebook. */
  nb: string;
  /** The cell. */
  cell: string;
};

/** The answer to a batch of events. */
export type Reply = {
  /** The batch is stored. */
  ack?: number;
  /** What is to be shown. */
  effects?: Array<Effect>;
  /** The effects are the whole picture: cards that are not among them are gone. */
  full?: boolean;
  /** The sensor takes a new page id, reads the page again and sends everything. */
  resync?: boolean;
  /** The code of what failed: the batch is stored, and the engine failed on it. */
  trouble?: string;
  /** The sensor stops: the page may no longer be read. */
  gone?: boolean;
};

/** A notice of an incident. */
export type Said = {
  /** The notice. */
  id: string;
  /** What it says. */
  text: string;
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
  | { "t": "memory" } & Memory;

/** What sensors ask of the background. `page` is the sensor's own id of its page. */
export type SensorRequest =
  | {
    "kind": "connect";
    /** The page. */
    page: string;
    /**
     * When the document began, in milliseconds since 1970. What other frames stored before that
     * belongs to the document before.
     */
    began: number;
  }
  | {
    "kind": "events";
    /** The page. */
    page: string;
    /** Counts batches from 1. */
    seq: number;
    /** The events, in order. */
    events: Array<SensorEvent>;
  }
  | {
    "kind": "ask";
    /** The page. */
    page: string;
    /** What is asked for. */
    what: Asked;
    /** The format of a report: `markdown`, `json` or `html`. */
    format?: string;
    /** A diagnosis. */
    id?: string;
  }
  | { "kind": "frame" } & FrameNews
  | { "kind": "frames", }
  | {
    "kind": "hurry";
    /** The frame's number. */
    frame: number;
  }
  | { "kind": "around" } & Around;

/** The readings of one quantity, oldest first. */
export type Series = {
  /** `ram`, `gpu` or `disk`. */
  key: string;
  /** What it is, for people. */
  what: string;
  /** The readings. Between two that are further apart than `gap` nothing is known. */
  points: Array<Point>;
};

/** What the person set. */
export type Settings = {
  /** `system`, `light` or `dark`. */
  theme: string;
  /** Origins at which nbmedic is switched off. */
  off: Array<string>;
  /** When to warn. */
  limits: Limits;
};

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

/** A run of a cell. */
export type Span = {
  /** When it started, in milliseconds since 1970. */
  from: number;
  /** When it ended, or the chart's end. */
  to: number;
  /** How it ended. */
  outcome: Outcome;
  /** What people call the cell. */
  label: string;
};

/** What is seen of a tab. */
export type Status = {
  /** The view of the newest page. */
  tree: TreeNode | null;
  /** All pages, the newest first. */
  pages: Array<PageStatus>;
  /** Match patterns of what may be read. */
  allowed: Array<string>;
  /** Origins that are asked for in one question with the tab's. */
  together: Array<string>;
  /**
   * Match patterns that belong to a page which may be read and are not granted: Colab's output
   * frames.
   */
  withheld: Array<string>;
  /** nbmedic is switched off at the tab's origin. */
  off: boolean;
  /** What failed in nbmedic itself. */
  troubles: Array<Trouble>;
};

/** An element that a tree may hold. Renderers create no other. */
export type Tag = "section" | "header" | "footer" | "div" | "p" | "span" | "strong" | "em" | "code" | "pre" | "ul" | "ol" | "li" | "h2" | "h3" | "h4" | "details" | "summary" | "button" | "a" | "small" | "table" | "thead" | "tbody" | "tr" | "th" | "td" | "dl" | "dt" | "dd" | "svg" | "path" | "line";

/** A value that was redacted, wherever it stood. */
export type Taken = {
  /**
   * Names it in `back` of `Wanted`: a checksum of the value that a double holds
   * exactly. 0: it was redacted before it was stored, and nothing knows it any more.
   */
  id: number;
  /** Its kind. */
  kind: string;
  /** Its first characters and its length; empty where it is not known. */
  masked: string;
  /** The first few places where it stood. */
  places: Array<string>;
  /** How often it stood there. */
  count: number;
  /** The person put it back. */
  back: boolean;
};

/** A text, or nothing. */
export type Text = {
  /** The text; null: there is none. */
  text: string | null;
};

/** The page's colour scheme. */
export type Theme = "light" | "dark" | "unknown";

/**
 * One element: its text comes before its children. Everything in it is plain text; no renderer
 * reads markup out of it.
 */
export type TreeNode = {
  /** The element. */
  tag: Tag;
  /** Space-separated class names. */
  class?: string;
  /** Text before the children. */
  text?: string;
  /**
   * `aria-*`, `role`, `title`, `lang`, `hidden`, `open`, `id`, `type`, `data-*`, and `href` with an
   * `https:` address; on the elements of a picture, numbers and words of its geometry.
   */
  attrs?: { [key in string]: string };
  /** What a click does. */
  act?: Action | null;
  /** Children, in order. */
  kids?: Array<TreeNode>;
};

/** A failure, as the background wrote it down. */
export type Trouble = {
  /** Which one: see [`trouble`]. */
  code: string;
  /** When it was last, in milliseconds since 1970. */
  at: number;
  /** How often it was. */
  count: number;
  /** It works again. */
  over: boolean;
  /** The diagnosis or file concerned; empty: none. */
  id: string;
  /** The error's own words, without secrets and names. */
  detail: string;
};

/** What is stored. */
export type Usage = {
  /** Pages. */
  pages: number;
  /** Characters of their events, roughly. */
  size: number;
};

/** What a button of a view stands for, in a tab. */
export type ViewAct =
  | {
    "do": "mute";
    /** The tab. */
    tab: number;
    /** The diagnosis, or `@` and the checksum of a cell's code. */
    id: string;
    /** What people call the cell; absent for a diagnosis. */
    name?: string;
  }
  | {
    "do": "goto";
    /** The tab. */
    tab: number;
    /** The cell. */
    cell: string;
  };

/**
 * What the popup, the side panel and the other pages ask to be shown. `tab` is the browser's number
 * of a tab.
 */
export type ViewRequest =
  | {
    "kind": "status";
    /** The tab. */
    tab: number;
    /** The origin of the tab's page; empty where it is not known. */
    origin?: string;
  }
  | {
    "kind": "panel";
    /** The tab. */
    tab: number;
  }
  | {
    "kind": "draft";
    /** The tab. */
    tab: number;
    /** Which of its pages; absent: the newest. */
    page?: string;
    /** What the report shall be. */
    wanted: Wanted;
  }
  | { "kind": "history", }
  | {
    "kind": "drift";
    /** The tab. */
    tab: number;
  }
  | {
    "kind": "triage";
    /** The text. */
    text: string;
    /** Its file's name. */
    name?: string;
  }
  | {
    "kind": "example";
    /** The notebook's file. */
    text: string;
  }
  | { "kind": "health", }
  | { "kind": "options", };

/** What a resource widget shows. */
export type VitalsSeen = {
  /** The notebook; null: not known. */
  nb: string | null;
  /** The widget's text, at most 4 KiB; empty when the widget is gone. */
  text: string;
  /** Which widget, as the profile names it. */
  source: string;
};

/** What a report shall be. */
export type Wanted = {
  /** `markdown`, `json`, `html` or `log`. */
  format: string;
  /** With the sources of the failing cells. */
  source: boolean;
  /** The ids of values that are not redacted. */
  back: Array<number>;
};

/** A window on a text: its beginning and its end, as in an `output` event. */
export type Window = {
  /** Length of the whole text, in UTF-16 units. */
  len: number;
  /** The beginning. */
  head: string;
  /** The end; absent where the head holds the whole text. */
  tail?: string;
  /** Newlines before the end; null: not counted. */
  lines: number | null;
};

/** The slot of each event: a prefix, then fields, of alternatives the first that has a value. */
export const SLOTS: Record<string, { prefix: string; fields: string[][] } | undefined>;
export const MAX_HEAD: number;
export const MAX_TAIL: number;
export const MAX_SOURCE: number;
export const MAX_NOTICE: number;
