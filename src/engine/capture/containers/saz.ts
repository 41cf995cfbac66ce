/**
 * Sessions of Fiddler's archive (SAZ) → a connection for each, with its request and its response as HTTP/1.1 wrote them.
 * https://docs.telerik.com/fiddler-everywhere/knowledge-base/fiddler-archives
 *
 *   raw/1_m.xml   times, and the addresses of both ends
 *   raw/1_c.txt   the request, to a proxy: `POST https://host/path HTTP/1.1`
 *   raw/1_s.txt   the response, with its chunks and codings
 *   raw/1_w.txt   messages of a WebSocket, which are not read
 *
 * The archive is read as `zipOfSessions` writes it: a file of ZIP without compression, which needs no directory.
 */

import { ByteWindow } from '../../bytes/byte-window.ts';
import { littleEndian } from '../../bytes/integers.ts';
import type { CaptureFormat, CaptureReader, CaptureSink } from './capture-format.ts';
import type { Ends, RecordedConnection } from './exchange.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog, LossRun } from './packets-log.ts';
import { SESSION_FILE, ZIP_HEADER } from './zip-of-sessions.ts';

const LOCAL = 0x04034b50;
/** Facts of a session are about 1,500 bytes. Longer ones are not read. */
const LONGEST_FACTS = 1 << 20;

export const saz: CaptureFormat = {
  id: 'saz',
  label: 'SAZ',
  open: (sink, layers, log) => createSazReader(sink, layers, log),
};

interface Session {
  readonly id: string;
  facts: SessionFacts;
  connection: RecordedConnection | null;
}

interface SessionFacts {
  readonly ends: Ends;
  /** When the request and the response began. */
  readonly times: readonly [number | null, number | null];
}

const UNKNOWN: SessionFacts = { ends: ['client', 'server'], times: [null, null] };

/** The file whose bytes follow. */
interface Current {
  left: number;
  readonly kind: 'facts' | 'bytes' | 'lost' | 'other';
  readonly side: 0 | 1;
  readonly loss: LossRun | null;
}

export function createSazReader(
  sink: Pick<CaptureSink, 'connection'>,
  layers: LayerTally,
  log: CaptureLog,
): CaptureReader {
  const window = new ByteWindow();
  let consumed = 0;
  let session: Session | null = null;
  let current: Current | null = null;

  const take = (count: number): void => {
    window.consume(count);
    consumed += count;
  };

  const lose = (code: string, severity: 'error' | 'warning', reason: string): LossRun =>
    log.lose({ code, severity, layer: 'unattributed', stream: null, reason }, consumed);

  function close(): void {
    session?.connection?.end(0);
    session?.connection?.end(1);
    session = null;
  }

  /** @returns false: more bytes are needed */
  function step(): boolean {
    return current === null ? readHeader() : readContent(current);
  }

  function readHeader(): boolean {
    const { bytes, start, length } = window;
    if (length < ZIP_HEADER) return false;
    if (littleEndian(bytes, start) !== LOCAL) {
      const loss = lose('saz/malformed', 'error', 'No file of the archive begins here; the rest is not read.');
      current = { left: Number.POSITIVE_INFINITY, kind: 'lost', side: 0, loss };
      return true;
    }
    const size = ZIP_HEADER + littleEndian(bytes, start + 26, 2) + littleEndian(bytes, start + 28, 2);
    if (length < size) return false;
    const nameEnd = start + ZIP_HEADER + littleEndian(bytes, start + 26, 2);
    const name = new TextDecoder().decode(bytes.subarray(start + ZIP_HEADER, nameEnd));
    const left = littleEndian(bytes, start + 18);
    layers.container += size;
    take(size);
    current = open(name, left);
    return true;
  }

  function open(name: string, left: number): Current {
    const [, id, kind] = SESSION_FILE.exec(name) ?? [];
    if (id !== session?.id) close();
    if (id === undefined || kind === undefined) return { left, kind: 'other', side: 0, loss: null };
    session ??= { id, facts: UNKNOWN, connection: null };
    if (kind === 'm') return { left, kind: left > LONGEST_FACTS ? 'other' : 'facts', side: 0, loss: null };
    if (kind === 'c' || kind === 's') {
      session.connection ??= sink.connection(session.facts.ends);
      return { left, kind: 'bytes', side: kind === 'c' ? 0 : 1, loss: null };
    }
    const what = kind === 'w' ? 'messages of a WebSocket' : `contents of ${name}`;
    return { left, kind: 'lost', side: 0, loss: lose('saz/unread', 'warning', `The ${what} are not read.`) };
  }

  function readContent(file: Current): boolean {
    const { kind, side } = file;
    const count = Math.min(file.left, window.length);
    if (kind === 'facts') {
      if (count < file.left) return false;
      session!.facts = readFacts(window.bytes.subarray(window.start, window.start + count));
      layers.container += count;
    } else if (kind === 'other') layers.container += count;
    else if (kind === 'lost') file.loss!.add(consumed, consumed + count);
    else if (count > 0) {
      const { bytes, start } = window;
      const { connection, facts } = session!;
      connection!.data(side, bytes, start, start + count, consumed, facts.times[side]);
    }
    take(count);
    file.left -= count;
    if (file.left > 0) return false;
    current = null;
    return true;
  }

  return {
    push(chunk) {
      window.borrow(chunk);
      while (step());
      window.settle();
    },
    end() {
      const size = window.length;
      if (size > 0 || (current !== null && current.left < Number.POSITIVE_INFINITY)) {
        const reason = 'The archive ends within a file.';
        lose('capture/ends-early', 'warning', reason).add(consumed, consumed + size);
      }
      take(size);
      close();
    },
  };
}

function readFacts(bytes: Uint8Array): SessionFacts {
  const text = new TextDecoder().decode(bytes);
  const flag = (name: string): string | undefined =>
    new RegExp(`<SessionFlag N="${name}" V="([^"]*)"`, 'i').exec(text)?.[1];
  const client = hostOf(flag('x-clientip'));
  const port = flag('x-clientport');
  const timeOf = (name: string): number | null => {
    // Fractions of a second have seven digits.
    const [, time, zone] = new RegExp(` ${name}="([^"]{19}(?:\\.\\d{1,3})?)\\d*([^"]*)"`).exec(text) ?? [];
    const found = Date.parse(`${time}${zone}`);
    return found > 0 ? found : null;
  };
  return {
    ends: [
      client === undefined ? 'client' : `${client}${port === undefined ? '' : `:${port}`}`,
      hostOf(flag('x-hostip')) ?? 'server',
    ],
    times: [timeOf('ClientBeginRequest'), timeOf('ServerBeginResponse')],
  };
}

const hostOf = (address: string | undefined): string | undefined =>
  address?.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
