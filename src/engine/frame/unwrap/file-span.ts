/** A file in a source that contains several. */
export interface FileSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}
