/** One field of a random message. Its declaration and its native options are printed from it. */
export interface FieldShape {
  readonly number: number;
  readonly shape:
    | 'plain'
    | 'optional'
    | 'required'
    | 'repeated'
    | 'unpacked'
    | 'packed'
    | 'map'
    | 'oneof'
    | 'group'
    /** Two fields: the second one has the size that the first one says. */
    | 'sized';
  readonly type: string;
  readonly key: string;
  /** Number that chooses its native options. */
  readonly chance: number;
}
