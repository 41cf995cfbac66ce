/**
 * Fragments of IP datagrams → whole datagrams (RFC 791 §3.2, RFC 8200 §4.5). Fragments may come in any order; of
 * overlapping bytes, the first ones count. Incomplete datagrams are dropped, oldest first, because a capture can have
 * any number of them.
 */

const MAX_DATAGRAMS = 64;
/** Maximum number of whole datagrams that are kept, to recognise fragments that are captured again. */
const MAX_WHOLE = 16;
/** Maximum payload of a datagram. */
const LONGEST_DATAGRAM = 65_535;

export interface FragmentPiece {
  /** Offset in the datagram's payload. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly captureOffset: number;
}

type PassedOver = (bytes: number, captureOffset: number) => void;

interface Datagram {
  pieces: FragmentPiece[];
  held: number;
  /** Payload length; −1: the last fragment was not captured yet. */
  length: number;
}

export class FragmentTable {
  readonly #datagrams = new Map<string, Datagram>();
  /** The last whole datagrams, oldest first. */
  readonly #whole = new Map<string, readonly FragmentPiece[]>();
  readonly #forget: PassedOver;
  readonly #repeat: PassedOver;

  /** @param forget called with payload bytes that will not be used @param repeat called with those captured before */
  constructor(forget: PassedOver, repeat: PassedOver) {
    this.#forget = forget;
    this.#repeat = repeat;
  }

  /**
   * @param key addresses, protocol and identification
   * @param bytes borrowed
   * @returns the pieces in order once they tile the datagram
   */
  add(
    key: string,
    offset: number,
    more: boolean,
    bytes: Uint8Array,
    captureOffset: number,
  ): readonly FragmentPiece[] | null {
    const end = offset + bytes.length;
    if (end > LONGEST_DATAGRAM) {
      this.#forget(bytes.length, captureOffset);
      return null;
    }
    let datagram = this.#datagrams.get(key);
    if (datagram === undefined) {
      const whole = this.#whole.get(key);
      // Another datagram may have the same identification later.
      if (whole !== undefined && holds(whole, offset, bytes)) {
        this.#repeat(bytes.length, captureOffset);
        return null;
      }
      datagram = { pieces: [], held: 0, length: -1 };
      this.#datagrams.set(key, datagram);
      if (this.#datagrams.size > MAX_DATAGRAMS) {
        const [oldest, lost] = this.#datagrams.entries().next().value!;
        this.#datagrams.delete(oldest);
        this.#forgetAll(lost);
      }
    }
    const known = datagram.length < 0 ? Math.max(0, ...datagram.pieces.map(pieceEnd)) : datagram.length;
    // Fragments that disagree about the end are not used (RFC 5722 §3).
    if ((datagram.length >= 0 && end > known) || (!more && end < known)) {
      this.#datagrams.delete(key);
      this.#forgetAll(datagram);
      this.#forget(bytes.length, captureOffset);
      return null;
    }
    if (!more) datagram.length = end;
    const before = datagram.held;
    insertUncovered(datagram, { offset, bytes: bytes.slice(), captureOffset });
    this.#repeat(bytes.length - (datagram.held - before), captureOffset);
    if (datagram.length < 0 || datagram.held < datagram.length) return null;
    this.#datagrams.delete(key);
    this.#whole.delete(key);
    this.#whole.set(key, datagram.pieces);
    if (this.#whole.size > MAX_WHOLE) this.#whole.delete(this.#whole.keys().next().value!);
    return datagram.pieces;
  }

  /** Ends the capture: incomplete datagrams are not used. */
  end(): void {
    for (const datagram of this.#datagrams.values()) this.#forgetAll(datagram);
    this.#datagrams.clear();
  }

  #forgetAll({ pieces }: Datagram): void {
    for (const { bytes, captureOffset } of pieces) this.#forget(bytes.length, captureOffset);
  }
}

const pieceEnd = ({ offset, bytes }: FragmentPiece): number => offset + bytes.length;

/** Whether a whole datagram has these bytes at that offset. */
const holds = (whole: readonly FragmentPiece[], offset: number, bytes: Uint8Array): boolean =>
  offset + bytes.length <= pieceEnd(whole.at(-1)!) &&
  whole.every((piece) => {
    const from = Math.max(piece.offset, offset);
    const to = Math.min(pieceEnd(piece), offset + bytes.length);
    return (
      from >= to ||
      bytes.subarray(from - offset, to - offset).every((byte, at) => byte === piece.bytes[from - piece.offset + at])
    );
  });

/** Inserts the parts of a piece that no earlier piece covers. `pieces` stays sorted and disjoint. */
function insertUncovered(datagram: Datagram, piece: FragmentPiece): void {
  let from = piece.offset;
  const end = piece.offset + piece.bytes.length;
  const added: FragmentPiece[] = [];
  const keep = (until: number): void => {
    if (until <= from) return;
    const skip = from - piece.offset;
    added.push({
      offset: from,
      bytes: piece.bytes.subarray(skip, until - piece.offset),
      captureOffset: piece.captureOffset + skip,
    });
    datagram.held += until - from;
  };
  for (const there of datagram.pieces) {
    if (from >= end) break;
    keep(Math.min(there.offset, end));
    from = Math.max(from, there.offset + there.bytes.length);
  }
  keep(end);
  datagram.pieces = [...datagram.pieces, ...added].sort((a, b) => a.offset - b.offset);
}
