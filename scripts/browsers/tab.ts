/** A tab of any browser, with what the stories need. */
export interface Tab {
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Runs in the page, again and again, until it gives something true. */
  seen<Args extends readonly unknown[], T>(look: (...args: Args) => T, ...args: Args): Promise<T>;
  click<Args extends readonly unknown[]>(
    find: (...args: Args) => Element | null | undefined,
    ...args: Args
  ): Promise<void>;
  /** Gives files to the page's file chooser. */
  choose(paths: readonly string[]): Promise<void>;
  clickAt(x: number, y: number): Promise<void>;
  press(key: 'ArrowDown' | 'Enter' | 'Escape'): Promise<void>;
  /** Uncaught errors and errors of the console so far. */
  complaints(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Engine {
  /** Its name and version. */
  readonly title: string;
  /** A tab in a profile of its own, which lasts as long as the tab. */
  open(): Promise<Tab>;
  close(): Promise<void>;
}

/** Milliseconds that something may take to be seen. */
export const PATIENCE = 30_000;
