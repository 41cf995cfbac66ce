/**
 * A TLS connection → the connection inside it, if a key log has its secrets. Records, RFC 8446 §5.1:
 *
 *   type×1 │ version×2 │ length×2 │ body
 *
 * Only authenticated content is passed on. A byte of content keeps the captureOffset of its ciphertext. A record that
 * cannot be decrypted becomes a hole in the inner connection.
 */
import type { LossRun } from '../../capture/containers/packets-log.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import type { NestedConnection, StreamLoss, TransportContext, TransportReader } from '../transport/transport.ts';
import type { StreamWindow } from '../transport/window.ts';
import { cipherSuite, nameSuite } from './cipher-suites.ts';
import type { DecryptedRecords } from './decrypted-records.ts';
import { type DecryptedRecord, Direction } from './direction.ts';
import {
  type ClientHello,
  Handshake,
  readClientHello,
  readEncryptedExtensions,
  readServerHello,
  readTicket,
  type ServerHello,
} from './handshake.ts';
import { type KeyLog, MASTER_SECRET } from './key-log.ts';
import { trafficKeys12 } from './key-schedule.ts';
import { contentLength, type TlsVersion } from './record-cipher.ts';
import { HEAD_LENGTH, isRecordHead, RecordType, recordLength } from './record-head.ts';
import type { ResumableSessions } from './resumable-sessions.ts';

/** Maximum bytes that a direction holds while it waits for the other direction's hello. */
const MAX_WAITING = 1 << 20;

/** Transports by the negotiated protocol (ALPN). */
const AGREED: Readonly<Record<string, string>> = { h2: 'http2', 'http/1.1': 'http1' };

const LABELS_13 = [
  ['CLIENT_HANDSHAKE_TRAFFIC_SECRET', 'CLIENT_TRAFFIC_SECRET_0'],
  ['SERVER_HANDSHAKE_TRAFFIC_SECRET', 'SERVER_TRAFFIC_SECRET_0'],
] as const;
const EARLY_LABEL = 'CLIENT_EARLY_TRAFFIC_SECRET';

/** The reason why no record of a connection can be opened. */
type Problem = 'tls/no-start' | 'tls/not-read' | 'tls/no-key' | 'tls/wrong-key';

const BROKEN: StreamLoss = {
  code: 'tls/broken',
  severity: 'warning',
  layer: 'incomplete',
  reason: 'TLS records are damaged or not whole here; what is left of them cannot be decrypted.',
};

const OUTSIDE: StreamLoss = {
  code: 'frame/before-transport',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'No record of TLS holds these bytes before the first one that is decrypted.',
};

const NOT_AUTHENTIC: StreamLoss = {
  code: 'tls/not-authentic',
  severity: 'warning',
  layer: 'incomplete',
  reason: 'A TLS record is damaged: its authentication tag does not fit.',
};

export function openTlsConnection(
  context: TransportContext,
  keyLog: KeyLog,
  sessions: ResumableSessions,
  records: DecryptedRecords,
): TransportReader {
  const { layers, log, traffic, stream } = context;
  const directions = [new Direction(), new Direction()] as const;
  /** The side that sent the ClientHello. */
  let client: ConnectionSide = 0;
  let clientHello: ClientHello | null = null;
  /** The hello of a renegotiation. A server without an answer refuses it, and the keys stay (RFC 5246 §7.4.1.1). */
  let renewal: ClientHello | null = null;
  let serverHello: ServerHello | null = null;
  let version: TlsVersion = '1.2';
  /** The TLS 1.2 master secret. */
  let master: Uint8Array | undefined;
  let isSettled = false;
  let problem: Problem | null = null;
  let protocol: string | null = null;
  let takesEarlyData: boolean | null = null;
  let inner: NestedConnection | null = null;
  let ended = 0;
  /** By side: after a hole or damage, the start of the next record is unknown. */
  const seeking: [boolean, boolean] = [false, false];
  /** By side: bytes up to the end of a record with missing bytes. */
  const skipping: [number, number] = [0, 0];
  const losses: [LossRun | null, LossRun | null] = [null, null];
  /** By side: whether content was delivered. */
  const delivered: [boolean, boolean] = [false, false];
  /** By side: records that no key decrypts, and bytes outside of records before the first one that a key decrypts. */
  const closed: readonly [Unread, Unread] = [nothingUnread(), nothingUnread()];
  const outside: readonly [Unread, Unread] = [nothingUnread(), nothingUnread()];
  /** By side: records behind the last decrypted one. They are damaged, or the later key is wrong. */
  const unclear: [Unread, Unread] = [nothingUnread(), nothingUnread()];

  const other = (side: ConnectionSide): ConnectionSide => (side === 0 ? 1 : 0);

  function giveUp(why: Problem): void {
    problem ??= why;
    isSettled = true;
    for (const side of [0, 1] as const) context.wake(side);
  }

  /** Called when both hellos are known: determines the keys, if there are any. */
  function settle(): void {
    if (clientHello === null || serverHello === null || serverHello.isRetry) return;
    const suite = cipherSuite(serverHello.suite);
    isSettled = true;
    protocol = serverHello.protocol ?? protocol;
    context.wake(other(client));
    context.wake(client);
    if (suite === undefined || (serverHello.version !== 0x0303 && serverHello.version !== 0x0304)) {
      giveUp('tls/not-read');
      return;
    }
    const secrets = keyLog.of(clientHello.random);
    if (serverHello.version === 0x0304) {
      version = '1.3';
      for (const side of [0, 1] as const) {
        const isClient = side === client;
        const early = isClient ? secrets?.get(EARLY_LABEL) : undefined;
        const list = LABELS_13[isClient ? 0 : 1].map((label) => secrets?.get(label));
        // The key log was cut off, or copied during the handshake.
        if (list.at(-1) === undefined) continue;
        directions[side].expect(suite, [
          ...(early === undefined ? [] : [{ secret: early, isEarly: true }]),
          ...list.flatMap((secret) => (secret === undefined ? [] : [{ secret, isEarly: false }])),
        ]);
      }
      if (!directions[0].hasKeys && !directions[1].hasKeys) giveUp('tls/no-key');
    } else {
      master =
        secrets?.get(MASTER_SECRET) ??
        keyLog.ofSession(serverHello.sessionId) ??
        sessions.find(clientHello, serverHello);
      if (master === undefined) giveUp('tls/no-key');
      else sessions.add(serverHello.sessionId, master);
    }
  }

  /** TLS 1.2: the following records of this side use new keys. */
  function changeCipher(side: ConnectionSide): void {
    const suite = serverHello === null ? undefined : cipherSuite(serverHello.suite);
    const keys =
      suite === undefined || master === undefined || clientHello === null || serverHello === null
        ? null
        : trafficKeys12(suite, master, clientHello.random, serverHello.random);
    directions[side].change(keys?.[side === client ? 0 : 1] ?? null);
  }

  function takeHandshake(side: ConnectionSide, content: Uint8Array): void {
    directions[side].handshake.add(content, (type, body) => {
      if (type === Handshake.CLIENT_HELLO) {
        const hello = readClientHello(body);
        if (hello === null) giveUp('tls/no-start');
        if (clientHello !== null && serverHello !== null && !serverHello.isRetry) {
          renewal = hello;
          return;
        }
        client = side;
        clientHello = hello;
        settle();
      } else if (type === Handshake.SERVER_HELLO) {
        const hello = readServerHello(body);
        if (hello === null) giveUp('tls/no-start');
        clientHello = renewal ?? clientHello;
        renewal = null;
        serverHello = hello;
        client = other(side);
        if (hello?.isRetry) {
          version = '1.3';
          context.wake(client);
        }
        settle();
      } else if (type === Handshake.NEW_TICKET && version === '1.2' && master !== undefined) {
        sessions.add(readTicket(body), master);
      } else if (type === Handshake.ENCRYPTED_EXTENSIONS) {
        const extensions = readEncryptedExtensions(body);
        protocol = extensions.protocol ?? protocol;
        takesEarlyData = extensions.takesEarlyData;
        context.wake(client);
      } else if (type === Handshake.KEY_UPDATE && version === '1.3') directions[side].update();
    });
  }

  const nested = (): NestedConnection =>
    (inner ??= context.nest(protocol !== null && Object.hasOwn(AGREED, protocol) ? AGREED[protocol]! : null));

  /** Delivers authenticated content. @param record at the window's start */
  function deliver(side: ConnectionSide, window: StreamWindow, { at, content, keys, nonce }: DecryptedRecord): void {
    delivered[side] = true;
    const time = window.time;
    let from = 0;
    for (const { start, end } of window.pieces(at, at + content.length)) {
      records.add(keys, nonce, from, start, end);
      nested().data(side, content, from, from + end - start, start, time);
      from += end - start;
    }
  }

  /** Turns missed records before this one into a hole of the inner connection. */
  function deliverHole(side: ConnectionSide, window: StreamWindow, record: DecryptedRecord): void {
    const { keys, missed, isFirst, type } = record;
    const direction = directions[side];
    const isWithin = missed > 0 || !isFirst || delivered[side];
    // A record that overlaps with another one has fewer bytes left than it was sent with: at least one is missing.
    const least = missed > 0 ? 1 : 0;
    const size = isWithin ? Math.max(least, contentLength(version, keys, direction.missedBytes, missed)) : 0;
    const isOpen = inner !== null || type === RecordType.APPLICATION_DATA;
    if (isOpen && size > 0) nested().hole(side, size, window.captureOffset, window.time, false);
    direction.missedBytes = 0;
    losses[side] = null;
  }

  /** Returns false if it has to wait for the other side. */
  function takeProtected(side: ConnectionSide, window: StreamWindow, record: Uint8Array): boolean {
    const direction = directions[side];
    const length = record.length;
    if (direction.awaitsEarlyData && takesEarlyData !== true) {
      const isDecided = takesEarlyData === false || directions[other(side)].isOver || window.length > MAX_WAITING;
      if (!isDecided && !directions[other(side)].isUnreadable) return false;
      direction.refuseEarlyData();
    }
    layers.tls += HEAD_LENGTH;
    const opened = problem !== null || direction.isUnreadable ? null : direction.open(version, record);
    if (opened === null) {
      // In TLS 1.2, the record header names the content's type.
      if (record[0] !== RecordType.APPLICATION_DATA) layers.tls += length - HEAD_LENGTH;
      else if (direction.opened === 0) pass(closed[side], window, HEAD_LENGTH, length);
      else if (direction.awaitsKey) pass(unclear[side], window, HEAD_LENGTH, length);
      else {
        const run = context.lose(side, NOT_AUTHENTIC, window.captureOffset);
        for (const { start, end } of window.pieces(HEAD_LENGTH, length)) run.add(start, end);
      }
      if (problem === null) {
        direction.miss(length, 1);
        direction.handshake.clear();
      }
      window.consume(length);
      return true;
    }
    if (unclear[side].bytes > 0) {
      loseAll(side, NOT_AUTHENTIC, unclear[side]);
      unclear[side] = nothingUnread();
    }
    deliverHole(side, window, opened);
    const { type, content } = opened;
    if (type === RecordType.APPLICATION_DATA) {
      layers.tls += length - HEAD_LENGTH - content.length;
      if (content.length > 0) deliver(side, window, opened);
    } else {
      layers.tls += length - HEAD_LENGTH;
      if (type === RecordType.HANDSHAKE) takeHandshake(side, content);
      else if (type === RecordType.CHANGE_CIPHER_SPEC) changeCipher(side);
    }
    window.consume(length);
    return true;
  }

  /** Reads the complete record at the window's start. Returns false if it has to wait for the other side. */
  function takeRecord(side: ConnectionSide, window: StreamWindow, record: Uint8Array): boolean {
    const direction = directions[side];
    const type = record[0]!;
    // TLS 1.3 sends this record for the sake of middleboxes, also around a HelloRetryRequest (RFC 8446 §D.4).
    const changes = type === RecordType.CHANGE_CIPHER_SPEC && version === '1.2' && !direction.isProtected;
    if (!isSettled && (changes || type === RecordType.APPLICATION_DATA)) {
      const isHopeless = directions[other(side)].isOver || direction.isOver || window.length > MAX_WAITING;
      if (!isHopeless) return false;
      giveUp('tls/no-start');
    }
    // The record that announces the change was missed.
    if (type === RecordType.APPLICATION_DATA && version === '1.2' && !direction.isProtected) changeCipher(side);
    if (type === RecordType.APPLICATION_DATA || (direction.isProtected && version === '1.2')) {
      return takeProtected(side, window, record);
    }
    layers.tls += record.length;
    if (type === RecordType.HANDSHAKE) takeHandshake(side, record.subarray(HEAD_LENGTH));
    else if (changes) changeCipher(side);
    window.consume(record.length);
    return true;
  }

  /** Skips bytes up to the next record. @param final a hole follows these bytes */
  function seek(side: ConnectionSide, window: StreamWindow, final: boolean): void {
    const bytes = window.peek(window.length);
    const at = findRecord(bytes, final);
    loseHere(side, window, at);
    if (window.length >= HEAD_LENGTH && at < bytes.length) {
      seeking[side] = window.length < recordLength(bytes, at);
    }
  }

  /** Counts bytes that belong to no readable record. */
  function loseHere(side: ConnectionSide, window: StreamWindow, count: number): void {
    if (count <= 0) return;
    if (problem !== null || directions[side].opened === 0) {
      pass(outside[side], window, 0, count);
      window.consume(count);
      return;
    }
    losses[side] ??= context.lose(side, BROKEN, window.captureOffset);
    window.lose(losses[side], count);
  }

  function readOn(side: ConnectionSide, window: StreamWindow, final: boolean): void {
    for (;;) {
      if (skipping[side] > 0) {
        const count = Math.min(skipping[side], window.length);
        skipping[side] -= count;
        loseHere(side, window, count);
        if (skipping[side] > 0) return;
      }
      if (seeking[side]) {
        const before = window.length;
        seek(side, window, final);
        directions[side].miss(before - window.length);
      }
      if (seeking[side] || window.length < HEAD_LENGTH) return;
      const head = window.peek(HEAD_LENGTH);
      if (!isRecordHead(head, 0)) {
        seeking[side] = true;
        directions[side].handshake.clear();
        continue;
      }
      const length = recordLength(head, 0);
      if (window.length < length || !takeRecord(side, window, window.peek(length))) return;
    }
  }

  function report(): void {
    const [a, b] = directions;
    const isRead = a.opened + b.opened > 0;
    if (problem === null && !isRead && a.failures + b.failures > 0) problem = 'tls/wrong-key';
    const unread = [...closed, ...outside].filter(({ bytes }) => bytes > 0);
    const start = Math.min(...unread.map((one) => one.start));
    const end = Math.max(0, ...unread.map((one) => one.end));
    if (isRead) for (const side of [0, 1] as const) reportSide(side);
    else if (unread.length > 0) {
      const bytes = unread.reduce((sum, one) => sum + one.bytes, 0);
      traffic.add({ name: 'TLS', unit: 'connection', isEncrypted: true, stream, bytes, start, end });
    }
    if (problem === null) return;
    log.add(problem, 'warning', `${stream}: ${explain(problem)}`, unread.length > 0 ? start : 0, end);
  }

  /** Reports the bytes of a side that were not read, though others of the connection were. */
  function reportSide(side: ConnectionSide): void {
    const { opened, hasKeys } = directions[side];
    const records = closed[side];
    if (outside[side].bytes > 0) loseAll(side, OUTSIDE, outside[side]);
    const lose = (unread: Unread, code: Problem, severity: 'info' | 'warning', why: string): void =>
      loseAll(
        side,
        { code, severity, layer: 'unattributed', reason: `${printSession()}. ${why} this direction.` },
        unread,
      );
    if (unclear[side].bytes > 0)
      lose(unclear[side], 'tls/wrong-key', 'warning', 'The application key of the key log decrypts no record of');
    if (records.bytes === 0) return;
    if (opened > 0) lose(records, 'tls/no-key', 'info', 'No key of the key log decrypts the first records of');
    else if (hasKeys) lose(records, 'tls/wrong-key', 'warning', 'The key of the key log decrypts no record of');
    else lose(records, 'tls/no-key', 'warning', 'The key log has no key for');
  }

  const loseAll = (side: ConnectionSide, loss: StreamLoss, { start, end, bytes }: Unread): void =>
    context.lose(side, loss, start).add(start, end, bytes);

  /** `TLS 1.3 with TLS_AES_128_GCM_SHA256, to example.com` */
  function printSession(): string {
    const version = serverHello === null ? 'TLS' : nameVersion(serverHello.version);
    const suite = serverHello === null ? '' : ` with ${nameSuite(serverHello.suite)}`;
    const name = clientHello?.serverName;
    return `${version}${suite}${name == null ? '' : `, to ${name}`}`;
  }

  function explain(why: Problem): string {
    const noKey = keyLog.size > 0 ? 'The key log has no key for it' : 'There is no key log';
    const texts: Readonly<Record<Problem, string>> = {
      'tls/not-read': 'Only AES-GCM and ChaCha20-Poly1305 of TLS 1.2 and 1.3 are read.',
      'tls/no-start': 'Its hellos were not captured whole, so no key can be found for it.',
      'tls/wrong-key': 'The key log has a key for it, but the key decrypts no record.',
      'tls/no-key': `${noKey}; docs/tls.md says how a program writes one.`,
    };
    return `${printSession()}. ${texts[why]}`;
  }

  return {
    read: (side, window) => readOn(side, window, false),
    hole(side, window, size) {
      readOn(side, window, true);
      const direction = directions[side];
      if (!isSettled) {
        direction.isOver = true;
        giveUp('tls/no-start');
        readOn(side, window, true);
      }
      direction.handshake.clear();
      const head = window.peek(Math.min(HEAD_LENGTH, window.length));
      const isKnown = !seeking[side] && window.length >= HEAD_LENGTH && isRecordHead(head, 0);
      const length = isKnown ? recordLength(head, 0) : 0;
      const rest = isKnown ? length - window.length : skipping[side];
      if (rest >= size) {
        // The end of the record is known from its header.
        skipping[side] = rest - size;
        if (isKnown) direction.miss(length, 1);
      } else {
        direction.miss(window.length + size - skipping[side]);
        skipping[side] = 0;
        seeking[side] = true;
      }
      loseHere(side, window, window.length);
      window.gap(size);
    },
    end(side, window) {
      directions[side].isOver = true;
      readOn(side, window, true);
      context.wake(other(side));
      inner?.end(side);
      if (++ended === 2) report();
    },
  };
}

/** Index where a record begins, or may begin if more bytes confirm it; the length of `bytes`: nowhere. */
function findRecord(bytes: Uint8Array, final: boolean): number {
  for (let at = 0; at < bytes.length; at++) {
    if (!isRecordHead(bytes, at)) continue;
    if (bytes.length - at < HEAD_LENGTH) {
      if (!final) return at;
      continue;
    }
    const end = at + recordLength(bytes, at);
    // A second header after the record, or the end of the bytes, confirms it.
    if (end <= bytes.length ? end === bytes.length || isRecordHead(bytes, end) : !final) return at;
  }
  return bytes.length;
}

interface Unread {
  bytes: number;
  start: number;
  end: number;
}

const nothingUnread = (): Unread => ({ bytes: 0, start: Number.POSITIVE_INFINITY, end: 0 });

function pass(unread: Unread, window: StreamWindow, from: number, to: number): void {
  for (const { start, end } of window.pieces(from, to)) {
    unread.bytes += end - start;
    unread.start = Math.min(unread.start, start);
    unread.end = Math.max(unread.end, end);
  }
}

const nameVersion = (version: number): string =>
  ({ 768: 'SSL 3.0', 769: 'TLS 1.0', 770: 'TLS 1.1', 771: 'TLS 1.2', 772: 'TLS 1.3' })[version] ?? 'TLS';
