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

/** A reading and how old it was. */
export type Before = {
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

/** One thing that a sensor saw, that the person asked for, or that the engine concluded. */
export type Event = { "t": "hello" } & Hello
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
  events: Array<Event>;
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

/** A notice of an incident. */
export type Said = {
  /** The notice. */
  id: string;
  /** What it says. */
  text: string;
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

/** The page's colour scheme. */
export type Theme = "light" | "dark" | "unknown";

/** What a resource widget shows. */
export type VitalsSeen = {
  /** The notebook; null: not known. */
  nb: string | null;
  /** The widget's text, at most 4 KiB; empty when the widget is gone. */
  text: string;
  /** Which widget, as the profile names it. */
  source: string;
};

/** The slot of each event: a prefix, then fields, of alternatives the first that has a value. */
export const SLOTS: Record<string, { prefix: string; fields: string[][] } | undefined>;
export const MAX_HEAD: number;
export const MAX_TAIL: number;
export const MAX_SOURCE: number;
export const MAX_NOTICE: number;
