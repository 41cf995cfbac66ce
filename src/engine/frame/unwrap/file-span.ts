/** A file in a source that contains several. */
export interface FileSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Full name of the type of its message, if its envelope names one. */
  readonly type?: string | undefined;
}
