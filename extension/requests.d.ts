// Generated from src/protocol by its tests. Don't edit.

import type { Effect, Limits, OutputKind, SensorEvent, TreeNode } from './protocol.js';

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
export type Asked = "report" | "preview" | "rule" | "assistant" | "below" | "replace" | "probe";

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

/** A notebook's cards. */
export type Example = {
  /** The cards; null: the notebook can't be read. */
  tree: TreeNode | null;
  /** The same as Markdown. */
  markdown: string;
  /** The style sheet of cards. */
  css: string;
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

/** Something muted. */
export type Muted = {
  /** The diagnosis, or `@` and the checksum of a cell's code. */
  id: string;
  /** What people call the cell; empty for a diagnosis. */
  name: string;
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

/** Whether code is in a new cell now. */
export type Put = {
  /** It is. */
  done: boolean;
  /** The code, to be copied if it is not. */
  text: string;
};

/** The answer to a batch of events. */
export type Reply = {
  /** The batch is stored. */
  ack?: number;
  /** What is to be shown. */
  effects?: Array<Effect>;
  /** The effects are the whole picture: cards that are not among them are gone. */
  full?: boolean;
  /** There is more to show, which takes longer: the sensor asks for the rest. */
  more?: boolean;
  /** The sensor takes a new page id, reads the page again and sends everything. */
  resync?: boolean;
  /** The code of what failed: the batch is stored, and the engine failed on it. */
  trouble?: string;
  /** The sensor stops: the page may no longer be read. */
  gone?: boolean;
};

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
    "kind": "rest";
    /** The page. */
    page: string;
  }
  | {
    "kind": "ask";
    /** The page. */
    page: string;
    /** What is asked for. */
    what: Asked;
    /** The format of a report: `markdown`, `json` or `html`. */
    format?: string;
    /** A diagnosis; the key of a card. */
    id?: string;
    /** Code for a new cell, or for the marked one. */
    text?: string;
    /** The code of the marked cell that `text` replaces. */
    was?: string;
  }
  | { "kind": "frame" } & FrameNews
  | { "kind": "frames", }
  | {
    "kind": "hurry";
    /** The frame's number. */
    frame: number;
  }
  | { "kind": "around" } & Around;

/** What the person set. */
export type Settings = {
  /** `system`, `light` or `dark`. */
  theme: string;
  /** Origins at which nbmedic is switched off. */
  off: Array<string>;
  /** When to warn. */
  limits: Limits;
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
    /** What a notice says that no rule knows, if the person adds it. */
    words?: string;
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
