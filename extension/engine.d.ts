/** The engine's surface as wasm-bindgen writes it into the package. */
declare module '*/engine/nbmedic.js' {
  export class Engine {
    profiles(): string;
    knows(page: string): boolean;
    apply(page: string, events: SensorEvent[], now: number, more?: boolean): Effect[] | undefined;
    provide(id: string, prose: string): void;
    report(page: string, format: string, now: number): string;
    draft(page: string, wanted: object, now: number): import('./requests.js').Draft | null;
    past(page: string, now: number): string;
    status(page: string): SaidNode | null;
    panel(page: string, now: number): string;
    redact(events: SensorEvent[]): SensorEvent[];
    clean(text: string): string;
    triage(text: string, name: string): string;
    examine(text: string, name: string): string;
    drop(page: string): void;
    static version(): string;
  }
  /** Puts a new instance of the module in the place of the old one. */
  export function __wbg_reset_state(): void;
  export default function init(options: { module_or_path: URL | WebAssembly.Module }): Promise<unknown>;
}

/** The pages' own module as wasm-bindgen writes it into the package. */
declare module '*/pages/pages.js' {
  /** The web site's. */
  export function playground(host: object): void;
  export default function init(options: { module_or_path: URL | Promise<WebAssembly.Module> }): Promise<unknown>;
}
