/**
 * gRPC's binary log → the messages of its calls, entry by entry, each with its place in the file. Entries of several calls
 * are mixed.
 *
 *   size×4, big-endian, or as a varint │ GrpcLogEntry │ size │ GrpcLogEntry │ …
 *
 *   GrpcLogEntry { 1 timestamp, 2 call_id, 4 type, 5 logger, 6 client_header { 2 method_name, 3 authority },
 *     8 message { 1 length, 2 data }, 9 trailer { 2 status_code }, 10 payload_truncated, 11 peer }
 *
 * https://github.com/grpc/grpc-proto/blob/master/grpc/binlog/v1/binarylog.proto; Go writes four bytes, Java a varint.
 */
import { uint32be } from '../../bytes/integers.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import type { CaptureFormat, CaptureReader, CaptureSink } from './capture-format.ts';
import type { Ends, RecordedCall } from './exchange.ts';
import { knownTime } from './known-time.ts';
import { type Keyed, OpenByKey } from './open-by-key.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog } from './packets-log.ts';
import { ProtoFields } from './proto-records.ts';
import { createEntryReader } from './recorded-entries.ts';

export const grpcLog: CaptureFormat = {
  id: 'grpc-log',
  label: 'gRPC binary log',
  open: (sink, layers, log) => createGrpcLogReader(sink, layers, log),
};

const [CLIENT_HEADER, CLIENT_MESSAGE, SERVER_MESSAGE, SERVER_TRAILER, CANCEL] = [1, 3, 4, 6, 7];
const LOGGED_BY_CLIENT = 1;
const [IPV4, IPV6, UNIX] = [1, 2, 3];
/** Calls that are known at once. Entries may follow a call's end. */
const MAX_CALLS = 65_536;

interface Call extends Keyed<Call> {
  readonly recorded: RecordedCall;
  /** The name of the server that the client asked for. */
  readonly authority: string;
}

/** @param longest bytes of an entry */
export function createGrpcLogReader(
  sink: Pick<CaptureSink, 'call'>,
  layers: LayerTally,
  log: CaptureLog,
  longest?: number,
): CaptureReader {
  /** By the logging side and the call's id, which counts in a process. */
  const calls = new OpenByKey<Call>();
  let isFixed: boolean | null = null;
  let end = 0;

  function sizeAt(bytes: Uint8Array, start: number, limit: number): number | 'more' | 'no' {
    isFixed ??= bytes[start] === 0;
    const body = isFixed ? start + 4 : varintEnd(bytes, start, Math.min(limit, start + 5));
    if (body < 0) return limit - start < 5 ? 'more' : 'no';
    if (body > limit) return 'more';
    const size = isFixed ? uint32be(bytes, start) : varintNumber(bytes, start, body);
    return size === 0 ? 'no' : body - start + size;
  }

  function open(key: string, entry: ProtoFields, ends: Ends | null): Call {
    const before = calls.use(key);
    if (before !== undefined) close(before);
    const header = entry.message(6);
    const recorded = sink.call(header.text(2) || null, ends);
    const call = calls.add({ key, recorded, authority: header.text(3), before: null, after: null });
    if (calls.size > MAX_CALLS) close(calls.idlest!);
    return call;
  }

  function close(call: Call): void {
    calls.remove(call);
    call.recorded.know(['client', call.authority || 'server']);
    call.recorded.end(null, end, end);
  }

  function read(bytes: Uint8Array, at: number): boolean {
    const body = isFixed ? 4 : varintEnd(bytes, 0, bytes.length);
    const entry = new ProtoFields(bytes, { start: body, end: bytes.length });
    const message = entry.message(8);
    if (!entry.isWhole || !message.isWhole) return false;
    end = at + bytes.length;
    const [type, logger] = [entry.number(4), entry.number(5)];
    const isByClient = logger === LOGGED_BY_CLIENT;
    const key = `${logger} ${entry.whole(2)}`;
    const peer = peerOf(entry.message(11));
    const authority = entry.message(6).text(3);
    const endsOf = (server: string): Ends => (isByClient ? ['client', peer ?? server] : [peer ?? 'client', server]);
    const known = type === CLIENT_HEADER ? undefined : calls.use(key);
    const call = known ?? open(key, entry, isByClient ? null : endsOf(authority || 'server'));
    if (isByClient && peer !== null) call.recorded.know(endsOf(peer));
    const data = message.one(2) ?? { start: bytes.length, end: bytes.length };
    const isMessage = type === CLIENT_MESSAGE || type === SERVER_MESSAGE;
    layers.container += bytes.length - (isMessage ? data.end - data.start : 0);
    if (isMessage) {
      const length = message.number(1);
      call.recorded.message({
        isFromClient: type === CLIENT_MESSAGE,
        time: timeOf(entry.message(1)),
        captureOffset: at + data.start,
        bytes: bytes.subarray(data.start, data.end),
        statedSize: entry.number(10) === 1 && length <= data.end - data.start ? null : length,
      });
    } else if (type === SERVER_TRAILER || type === CANCEL) {
      call.recorded.know(endsOf(call.authority || 'server'));
      call.recorded.end(type === CANCEL ? null : String(entry.message(9).number(2)), at, end);
    }
    return true;
  }

  const onEnd = (): void => {
    for (const call of calls.all) close(call);
  };
  return createEntryReader({ id: grpcLog.id, entry: 'an entry', sizeAt, read, log, longest, onEnd });
}

const timeOf = (timestamp: ProtoFields): number | null =>
  knownTime(timestamp.number(1) * 1000 + timestamp.number(2) / 1e6);

/** null: not recorded. */
function peerOf(address: ProtoFields): string | null {
  const [type, name] = [address.number(1), address.text(2)];
  if (name === '') return null;
  if (type === UNIX) return `unix:${name}`;
  const host = type === IPV6 ? `[${name}]` : name;
  return type === IPV4 || type === IPV6 ? `${host}:${address.number(3)}` : name;
}
