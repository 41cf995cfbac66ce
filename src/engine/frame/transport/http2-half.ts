/** The state of one side of an HTTP/2 stream, while its data come. */
import type { LossRun } from '../../capture/containers/packets-log.ts';
import type { GrpcSearch } from '../framing/grpc-search.ts';
import type { Envelope, GrpcEnvelope } from './envelope.ts';
import type { EnvelopeReader } from './envelope-reader.ts';
import { grpcCodec, type HttpBody } from './http-types.ts';
import type { SideHeaders } from './http2-stream-headers.ts';
import type { LastMessage } from './last-message.ts';

/** `messages`: in an envelope, read as they come. */
export type Kind = 'undecided' | 'messages' | 'plain' | 'searching' | 'lost';

export interface Half extends SideHeaders {
  /** Its first header block was captured, readable or not, so the next data are its beginning. */
  begun: boolean;
  headerBytes: number;
  /** captureOffset of the headers. */
  headersAt: number;
  kind: Kind;
  /** Messages in an envelope other than gRPC's; null: gRPC, or none. */
  explained: HttpBody | null;
  envelope: Envelope;
  /** The current message. `plain`: it holds the body. */
  readonly messages: EnvelopeReader;
  /** When the headers or the body began. */
  time: number | null;
  readonly last: LastMessage;
  readonly search: GrpcSearch;
  /** Data or the end of this side were captured, or may have been missed. */
  mayHaveMessages: boolean;
  /** Bytes outside of messages that were skipped since the last message; null: there were none. */
  lost: LossRun | null;
}

export const createHalf = (messages: EnvelopeReader, search: GrpcSearch, last: LastMessage): Half => ({
  begun: false,
  headers: null,
  complete: false,
  headerBytes: 0,
  headersAt: 0,
  kind: 'undecided',
  explained: null,
  envelope: grpcOf(null),
  messages,
  time: null,
  mayHaveMessages: false,
  lost: null,
  last,
  search,
});

/** gRPC's envelope, with the codec that the headers name. */
export const grpcOf = (headers: ReadonlyMap<string, string> | null): GrpcEnvelope => ({
  layer: 'grpc',
  codec: grpcCodec(headers?.get('grpc-encoding')),
  end: 0,
});
