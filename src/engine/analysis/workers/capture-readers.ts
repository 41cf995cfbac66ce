/** The workers that share a capture, as its reader sees them. */
import type { LaneFacts } from '../../frame/read-lane.ts';
import type { Lane } from '../../stream/connections.ts';
import type { LaneBatch } from './lane-batch.ts';

/** A part of a capture, as data that can be posted. */
export interface CaptureShare {
  readonly name: string;
  /** `Source.handle` */
  readonly handle: unknown;
  /** Maximum bytes of one message. */
  readonly limit: number;
  readonly chunkBytes: number | undefined;
  /** `CaptureOptions.described` */
  readonly described: string | undefined;
  /** Whether TLS is recognised. */
  readonly hasTls: boolean;
  readonly lane: Lane;
}

/** Another worker. Its promise rejects where it cannot be had, or fails. */
export interface LaneReader {
  /** @param take called with messages as they are found */
  read(share: CaptureShare, take: (batch: LaneBatch) => void): Promise<LaneFacts>;
}

export interface CaptureReaders {
  /** The number of workers that read a capture of this size, this one included. */
  lanes(size: number): number;
  helpers(): readonly LaneReader[];
  close(): void;
}
