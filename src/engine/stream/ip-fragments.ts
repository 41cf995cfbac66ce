/**
 * Fragments of IP datagrams → whole datagrams (RFC 791 §3.2, RFC 8200 §4.5). Fragments may come in any order; of
 * overlapping bytes, the first ones count. Incomplete datagrams are dropped, oldest first, because a capture can have
 * any number of them.
 */

const MAX_DATAGRAMS = 64;
/** Maximum payload of a datagram. */
const LONGEST_DATAGRAM = 65_535;

export interface FragmentPiece {
  /** Offset in the datagram's payload. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly captureOffset: number;
}

interface Datagram {
  pieces: FragmentPiece[];
  held: number;
  /** Payload length; −1: the last fragment was not captured yet. */
  length: number;
}

export class FragmentTable {
  readonly #datagrams = new Map<string, Datagram>();

  /**
   * @param key addresses, protocol and identification
   * @param bytes borrowed
   * @returns the pieces in order once they tile the datagram; `forgotten` counts payload bytes that will not be used
   */
  add(
    key: string,
    offset: number,
    more: boolean,
    bytes: Uint8Array,
    captureOffset: number,
  ): { readonly whole: readonly FragmentPiece[] | null; readonly forgotten: number } {
    const end = offset + bytes.length;
    if (end > LONGEST_DATAGRAM) return { whole: null, forgotten: bytes.length };
    let forgotten = 0;
    let datagram = this.#datagrams.get(key);
    if (datagram === undefined) {
      datagram = { pieces: [], held: 0, length: -1 };
      this.#datagrams.set(key, datagram);
      if (this.#datagrams.size > MAX_DATAGRAMS) {
        const [oldest, lost] = this.#datagrams.entries().next().value!;
        this.#datagrams.delete(oldest);
        forgotten += lost.held;
      }
    }
    const known = datagram.length < 0 ? Math.max(0, ...datagram.pieces.map(pieceEnd)) : datagram.length;
    // Fragments that disagree about the end are not used (RFC 5722 §3).
    if ((datagram.length >= 0 && end > known) || (!more && end < known)) {
      this.#datagrams.delete(key);
      return { whole: null, forgotten: forgotten + datagram.held + bytes.length };
    }
    if (!more) datagram.length = end;
    const before = datagram.held;
    insertUncovered(datagram, { offset, bytes: bytes.slice(), captureOffset });
    forgotten += bytes.length - (datagram.held - before);
    if (datagram.length < 0 || datagram.held < datagram.length) return { whole: null, forgotten };
    this.#datagrams.delete(key);
    return { whole: datagram.pieces, forgotten };
  }

  /** Ends the capture. Returns the payload bytes of incomplete datagrams. */
  end(): number {
    let held = 0;
    for (const datagram of this.#datagrams.values()) held += datagram.held;
    this.#datagrams.clear();
    return held;
  }
}

const pieceEnd = ({ offset, bytes }: FragmentPiece): number => offset + bytes.length;

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
