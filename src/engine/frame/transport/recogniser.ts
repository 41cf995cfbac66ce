/** The bytes of a connection's two sides → the transport that they belong to. */

import { isText } from '../../bytes/text-byte.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { findProtocol, type ProtocolSignature } from './protocol-signatures.ts';
import type { Transport } from './transport.ts';

/** Maximum bytes at the beginning that are kept while no transport is certain. */
const LONGEST_UNDECIDED = 64 * 1024;
/** Kept bytes are all examined again when they have grown by this part: at each segment, it would take quadratic time. */
const GROWTH = 1 / 8;
/** Up to this many bytes are examined at each segment. */
const SHORT = 512;
/** Maximum bytes of text that are kept: the other side may show that they are requests with an unknown method. */
const LONGEST_TEXT = 32 * 1024;
/** Maximum number of places in an unrecognised connection that are checked for a known protocol. */
const MAX_LOOKS = 16;

/** A decision about the kept bytes of a side: the ones before `at` are skipped. */
interface Place {
  readonly at: number;
  /** Null: more bytes may show it. */
  readonly transport: Transport | null;
  /** Whether `at` is neither the start of the side nor of a segment. */
  readonly floats: boolean;
}

/** Facts about a side's kept bytes, known so far. */
interface Kept {
  /** Whether they begin neither at the start of the side nor at a segment. */
  floats: boolean;
  /** How many they were when all were last examined. */
  examined: number;
  /** How many of the first ones are text; −1: not all that were examined are. */
  texts: number;
  /** By transport: no frame of it begins before this byte. Null: none was sought. */
  sought: Map<Transport, number> | null;
}

const nothingKept = (): Kept => ({ floats: false, examined: 0, texts: 0, sought: null });

export class Recogniser {
  readonly #transports: readonly Transport[];
  readonly #withText: readonly Transport[];
  readonly #sides: readonly [Kept, Kept] = [nothingKept(), nothingKept()];
  #protocol: ProtocolSignature | null = null;
  #looks = 0;
  #isBegun: boolean;

  /** @param isBegun the connection is captured from its beginning */
  constructor(transports: readonly Transport[], isBegun: boolean) {
    this.#transports = transports;
    this.#withText = transports.filter(({ isNeverText }) => !isNeverText);
    this.#isBegun = isBegun;
  }

  /** Bytes of the connection are missing, its first ones maybe. */
  miss(): void {
    if (!this.#isBegun) return;
    this.#isBegun = false;
    for (const kept of this.#sides) kept.sought = null;
  }

  /** The protocol that the connection seems to have, if no transport is recognised. */
  get protocol(): ProtocolSignature | null {
    return this.#protocol;
  }

  /**
   * Called with each segment. The side's bytes before `at` are then no longer kept.
   * @param bytes all that are kept of the side @param newest where the newest segment begins in them
   * @param final no bytes follow @returns null: all are kept
   */
  look(side: ConnectionSide, bytes: Uint8Array, newest: number, final: boolean): Omit<Place, 'floats'> | null {
    const kept = this.#sides[side];
    const isDue = final || bytes.length <= SHORT || bytes.length >= kept.examined * (1 + GROWTH);
    if (!isDue) {
      const rest = bytes.subarray(newest);
      if (!this.#offeredTo(isText(rest)).some((transport) => transport.sniff(rest, false, this.#isBegun) === 'yes'))
        return null;
    }
    const found = this.#place(kept, bytes, newest, final);
    if (found.at > 0) {
      kept.texts = 0;
      kept.sought = null;
    }
    kept.examined = bytes.length - found.at;
    kept.floats = found.floats;
    return found;
  }

  #offeredTo(isAllText: boolean): readonly Transport[] {
    return isAllText ? this.#withText : this.#transports;
  }

  /** Where a transport begins, or where more bytes may show one: at the start, anywhere, or at the newest segment. */
  #place(kept: Kept, bytes: Uint8Array, newest: number, final: boolean): Place {
    const undecided: Place[] = [];
    /** Transports that may begin at the start are not searched for elsewhere. */
    const waiting = new Set<Transport>();
    for (const at of [...(kept.floats ? [] : [0]), ...(newest > 0 ? [newest] : [])]) {
      const rest = bytes.subarray(at);
      if (rest.length === 0) continue;
      const isAllText = at === 0 ? isKeptText(kept, bytes) : isText(rest);
      for (const transport of this.#offeredTo(isAllText)) {
        if (waiting.has(transport)) continue;
        const verdict = transport.sniff(rest, final, this.#isBegun);
        if (verdict === 'yes') return { at, transport, floats: false };
        if (verdict === 'more') undecided.push({ at, transport: null, floats: false });
        if (verdict === 'more' && at === 0) waiting.add(transport);
      }
      if (isAllText && rest.length <= LONGEST_TEXT) undecided.push({ at, transport: null, floats: false });
    }
    if (this.#protocol === null && this.#looks++ < MAX_LOOKS) this.#protocol = findProtocol(bytes);
    for (const transport of this.#protocol === null ? this.#transports : []) {
      if (transport.seek === undefined || waiting.has(transport)) continue;
      kept.sought ??= new Map();
      const found = transport.seek(bytes, kept.sought.get(transport) ?? 0, final, this.#isBegun);
      kept.sought.set(transport, found?.at ?? bytes.length);
      if (found?.isSure) return { at: found.at, transport, floats: false };
      if (found !== null) undecided.push({ at: found.at, transport: null, floats: true });
    }
    undecided.sort((a, b) => a.at - b.at || Number(a.floats) - Number(b.floats));
    const first = final ? undefined : undecided.find(({ at }) => bytes.length - at < LONGEST_UNDECIDED);
    return first ?? { at: bytes.length, transport: null, floats: false };
  }
}

/** Whether all kept bytes are text. Each is examined once. */
function isKeptText(kept: Kept, bytes: Uint8Array): boolean {
  if (kept.texts < 0) return false;
  const isAll = isText(bytes.subarray(kept.texts));
  kept.texts = isAll ? bytes.length : -1;
  return isAll;
}
