/** A part of a body that contains several messages: a message, or bytes of the envelope alone. */
export interface EnvelopePart {
  /** Offsets of the message in the body. The bytes around it are of the envelope. */
  readonly start: number;
  readonly end: number;
  /** Where the next part begins: beyond the body, if this part is not whole. */
  readonly next: number;
  readonly isMessage: boolean;
  /** A text that is neither a message nor a separator. */
  readonly isOther?: boolean;
  /** The step that takes the message out of these bytes; null: they are the message. */
  readonly codec: string | null;
  /** The type that the envelope names. */
  readonly type?: string | null;
}
