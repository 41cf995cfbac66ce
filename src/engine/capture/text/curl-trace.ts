/**
 * A trace by curl (`--trace`) → its requests and responses as a HAR, which is read like any other. `--trace-ascii` does not
 * have all bytes.
 *
 *   == Info: Connected to 127.0.0.1 …
 *   23:55:50.532235 => Send header, 132 bytes (0x84)      the time by --trace-time
 *   0000: 50 4f 53 54 20 2f 61 20 48 54 54 50 2f 31 2e 31 POST /a HTTP/1.1
 *   => Send data, 7 bytes (0x7)
 *   <= Recv header, 17 bytes (0x11)                        one for each line of the response's head
 *   <= Recv data, 7 bytes (0x7)                            with the chunks of HTTP/1.1
 */
import { joinBytes } from '../../bytes/join.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { entryOf, harOf, newSide, type Side } from './recorded-har.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

export const curlTrace: TextEncoding = { id: 'curl-trace', label: TEXT_LABELS['curl-trace'], sniff, read };

/** A block: its direction, its kind, its bytes. */
const BLOCK = /^(?:[\d:.]{8,20} )?(?:\[[^\]]*\] )?(=> Send|<= Recv) (header|data|SSL data), (\d+) bytes?\b/;
const ROW = /^[0-9a-f]{4,}: ((?:[0-9a-f]{2} ){1,16})/;
const FIRST = /^(?:[\d:.]{8,20} )?(?:\[[^\]]*\] )?(?:== Info: |=> Send |<= Recv )/;
const SENT = /=> Send header, \d+ bytes \(0x[0-9a-f]+\)\r?\n0000: (?:[0-9a-f]{2} ){16}/;

function sniff(head: Uint8Array): Judgement {
  const text = latin1(head);
  return FIRST.test(text) && SENT.test(text)
    ? { score: 0.995, reason: 'a trace by curl, with the bytes of a request' }
    : { score: 0, reason: 'no trace by curl' };
}

interface Block {
  readonly isSent: boolean;
  readonly isHead: boolean;
  size: number;
  readonly rows: Uint8Array[];
}

function read(input: Uint8Array): DecodedText {
  const exchanges: (readonly [Side, Side])[] = [];
  let block: Block | null = null;
  const close = (): void => {
    if (block === null) return;
    if (block.isSent && block.isHead) exchanges.push([newSide(), newSide()]);
    const side = exchanges.at(-1)?.[block.isSent ? 0 : 1];
    const bytes = joinBytes(block.rows);
    if (side === undefined) return;
    if (block.isHead) side.head += latin1(bytes);
    else side.body.push(bytes);
    if (!block.isHead) side.missing += block.size;
  };
  for (const line of latin1(input).split('\n')) {
    const [, way, kind, size] = BLOCK.exec(line) ?? [];
    if (way !== undefined) {
      close();
      // Records of TLS are around what follows them.
      const isRecord = kind === 'SSL data';
      block = isRecord ? null : { isSent: way === '=> Send', isHead: kind === 'header', size: Number(size), rows: [] };
    } else if (block !== null) {
      const digits = ROW.exec(line)?.[1]?.trimEnd().split(' ').slice(0, block.size) ?? [];
      block.rows.push(Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16)));
      block.size -= digits.length;
    }
  }
  close();
  return { bytes: harOf(exchanges.map(([request, response]) => entryOf(request, response))), diagnostics: [] };
}
