/** A capture as opened, and as read. */
import type { Source } from '../bytes/source.ts';
import type { CaptureFacts } from '../frame/capture-facts.ts';
import type { UnwrapStep } from '../frame/unwrap/unwrap.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** captureOffsets are offsets in `source`. For a wrapped capture, it is the unwrapped one. */
export interface Opened {
  readonly source: Source;
  /** The name of the input as given. */
  readonly name: string;
  readonly size: number;
}

export interface OpenedCapture extends Opened {
  readonly kind: 'capture';
  /** Steps that unwrapped it, and their findings. */
  readonly steps: readonly UnwrapStep[];
  readonly diagnostics: readonly Diagnostic[];
  /** A framing that a person described, for its connections (frame/framing/described-fields.ts); null: none. */
  readonly described: string | null;
  /** Lines of each key log of TLS that was beside it. */
  readonly keyLogs: readonly string[];
}

export interface CaptureRead extends Omit<CaptureFacts, 'size'> {
  readonly kind: 'capture';
  readonly steps: readonly UnwrapStep[];
  readonly name: string;
  /** `size`: bytes of the input as given. `bytes`: decoded. Σ layers = bytes. */
  readonly size: number;
  readonly bytes: number;
}
