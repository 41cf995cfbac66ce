/** Bits that belong to no plain byte, by item. The ids are used in the command line's JSON. */

export type ContainerItem =
  | 'block_checksums'
  | 'block_headers'
  | 'checksum'
  | 'checksums'
  | 'chunk_headers'
  | 'content_checksum'
  | 'end_mark'
  | 'end_of_block'
  | 'end_token'
  | 'frame_header'
  | 'fse_initial_states'
  | 'fse_tables'
  | 'header'
  | 'huffman_tables'
  | 'jump_tables'
  | 'length_preamble'
  | 'literals_header'
  | 'mark'
  | 'not_attributed'
  | 'padding'
  | 'sequences_header'
  | 'skippable_frames'
  | 'skipped_chunks'
  | 'stored_lengths'
  | 'stream_identifier'
  | 'trailer'
  | 'trailing_bytes';

export class Container {
  readonly #items = new Map<ContainerItem, number>();

  add(item: ContainerItem, bits: number): void {
    if (bits > 0) this.#items.set(item, (this.#items.get(item) ?? 0) + bits);
  }

  /** Bits by item, in the order of first occurrence, without zeros. */
  get items(): Readonly<Partial<Record<ContainerItem, number>>> {
    return Object.fromEntries(this.#items);
  }

  get total(): number {
    let bits = 0;
    for (const own of this.#items.values()) bits += own;
    return bits;
  }
}
