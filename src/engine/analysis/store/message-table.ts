/**
 * Every message of the input as a row of numbers: its place, its size, and what the capture records about it. No
 * message bytes are kept. A column takes no memory until a row has a value for it: a payload takes 12 bytes.
 */
import type { BodyRef, HeaderPart, History, Message, Piece } from '../../frame/message.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import { HistoryList } from './history-list.ts';
import { type MessageGroup, MessageGroups, splitQuery } from './message-groups.ts';
import { bytesColumn, countsColumn, type NumberCells, NumberColumn, numbersColumn } from './number-column.ts';
import { WordList } from './string-table.ts';

const DIRECTIONS = [null, 'request', 'response'] as const;

/** Maximum number of queries that are kept. */
const MAX_QUERIES = 5000;

const emptyColumns = () => ({
  starts: new NumberColumn(numbersColumn, 0),
  sizes: new NumberColumn(countsColumn, 0),
  /** Captured bytes minus plain bytes: 0 if the message is not compressed. */
  packings: new NumberColumn(numbersColumn, 0),
  headers: new NumberColumn(countsColumn, 0),
  times: new NumberColumn(numbersColumn, Number.NaN),
  directions: new NumberColumn(bytesColumn, 0),
  group: new NumberColumn(countsColumn, 0),
  query: new NumberColumn(countsColumn, 0),
  flow: new NumberColumn(countsColumn, 0),
  status: new NumberColumn(countsColumn, 0),
  version: new NumberColumn(countsColumn, 0),
  compression: new NumberColumn(countsColumn, 0),
  /** Number of the history of messages that it may copy from, and how many of them are before it. */
  history: new NumberColumn(countsColumn, 0),
  before: new NumberColumn(countsColumn, 0),
  /** End of the first piece, where it differs from the end of the captured body. */
  firstEnds: new NumberColumn(numbersColumn, 0),
  /** Where the pieces after the first begin in the pools, and their number. */
  more: new NumberColumn(countsColumn, 0),
  moreCount: new NumberColumn(countsColumn, 0),
  /** Headers that are written as messages: the first piece, and where the other pieces are in the pools. */
  headerStarts: new NumberColumn(numbersColumn, 0),
  headerEnds: new NumberColumn(numbersColumn, 0),
  headerMore: new NumberColumn(countsColumn, 0),
  headerMoreCount: new NumberColumn(countsColumn, 0),
  poolStarts: new NumberColumn(numbersColumn, 0),
  poolEnds: new NumberColumn(numbersColumn, 0),
});

/** Where pieces lie in the pools, and how many there are. */
const POOLED = [
  ['more', 'moreCount'],
  ['headerMore', 'headerMoreCount'],
] as const;

type Columns = ReturnType<typeof emptyColumns>;
const COLUMN_NAMES = Object.keys(emptyColumns()) as readonly (keyof Columns)[];

/** The properties of a message that the table has; its context is the version alone. */
export interface TableRow extends Omit<Message, 'ordinal' | 'header'> {
  readonly header?: Pick<HeaderPart, 'pieces'>;
}

/** Rows of a table as data that can be posted to another worker. */
export interface PackedMessages {
  readonly length: number;
  readonly columns: Readonly<Record<keyof Columns, NumberCells | null>>;
  readonly groups: readonly MessageGroup[];
  readonly queries: readonly string[];
  readonly flows: readonly string[];
  readonly statuses: readonly string[];
  readonly versions: readonly string[];
  readonly compressions: readonly string[];
  readonly histories: readonly History[];
}

/** The memory of packed rows, which belongs to them alone. */
export const buffersOf = ({ columns }: PackedMessages): ArrayBuffer[] =>
  Object.values(columns).flatMap((cells) => (cells === null ? [] : [cells.buffer]));

export class MessageTable {
  length = 0;
  readonly groups: MessageGroups;
  readonly flows: WordList;
  /** Bytes and messages by flow, at the flow's number. */
  readonly flowMessages = new NumberColumn(countsColumn, 0);
  readonly flowBytes = new NumberColumn(numbersColumn, 0);
  readonly statuses: WordList;
  /** Plain and captured bytes of all messages. */
  plainBytes = 0;
  capturedBytes = 0;
  firstTime = Number.POSITIVE_INFINITY;
  lastTime = Number.NEGATIVE_INFINITY;
  readonly #columns = emptyColumns();
  readonly #queries: WordList;
  readonly #versions: WordList;
  readonly #compressions: WordList;
  readonly #histories: HistoryList;
  #pooled = 0;

  /** @param packed rows of another table: they are read only, and added up nowhere */
  constructor(packed?: PackedMessages) {
    this.groups = new MessageGroups(packed?.groups);
    this.#queries = new WordList(packed?.queries, MAX_QUERIES);
    this.flows = new WordList(packed?.flows);
    this.statuses = new WordList(packed?.statuses);
    this.#versions = new WordList(packed?.versions);
    this.#compressions = new WordList(packed?.compressions);
    this.#histories = new HistoryList(packed?.histories);
    this.length = packed?.length ?? 0;
    for (const name of packed === undefined ? [] : COLUMN_NAMES) this.#columns[name].unpack(packed!.columns[name]);
  }

  /** These rows, numbered from 0. */
  pack(ordinals: Uint32Array): PackedMessages {
    const columns: Record<string, NumberCells | null> = {};
    for (const name of COLUMN_NAMES) columns[name] = this.#columns[name].pack(ordinals);
    const pool: number[] = [];
    for (const [from, count] of POOLED) {
      const counts = columns[count];
      if (!counts) continue;
      const firsts = columns[from] ?? countsColumn(ordinals.length);
      columns[from] = firsts;
      for (let row = 0; row < counts.length; row++) {
        if (counts[row] === 0) continue;
        const first = firsts[row]!;
        firsts[row] = pool.length;
        for (let at = 0; at < counts[row]!; at++) pool.push(first + at);
      }
    }
    for (const name of ['poolStarts', 'poolEnds'] as const)
      columns[name] = this.#columns[name].pack(Uint32Array.from(pool));
    return {
      length: ordinals.length,
      columns: columns as PackedMessages['columns'],
      groups: this.groups.all(),
      queries: wordsIn(columns['query']!, this.#queries),
      flows: wordsIn(columns['flow']!, this.flows),
      statuses: wordsIn(columns['status']!, this.statuses),
      versions: wordsIn(columns['version']!, this.#versions),
      compressions: wordsIn(columns['compression']!, this.#compressions),
      histories: historiesIn(columns['history']!, this.#histories),
    };
  }

  add(message: TableRow): void {
    const { body, bytes, capturedBytes, time, headerBytes = 0 } = message;
    const row = this.length++;
    const [first, ...rest] = body.pieces;
    this.#columns.starts.set(row, first?.start ?? 0);
    this.#columns.sizes.set(row, bytes);
    this.#columns.packings.set(row, capturedBytes - bytes);
    this.#columns.headers.set(row, headerBytes);
    this.#columns.times.set(row, time ?? Number.NaN);
    this.#columns.directions.set(row, DIRECTIONS.indexOf(message.direction));
    this.#columns.status.set(row, this.statuses.numberOf(message.status));
    this.#columns.compression.set(row, this.#compressions.numberOf(body.compression));
    if (body.after !== undefined) {
      this.#columns.history.set(row, this.#histories.numberOf(body.after.history));
      this.#columns.before.set(row, body.after.count);
    }
    this.#columns.version.set(row, this.#versions.numberOf(message.context?.['version'] ?? null));
    this.#columns.group.set(row, this.groups.enter(message));
    this.#columns.query.set(row, this.#queries.numberOf(queryOf(message)));
    const flow = this.flows.numberOf(message.flow);
    this.#columns.flow.set(row, flow);
    this.flowMessages.set(flow, this.flowMessages.at(flow) + 1);
    this.flowBytes.set(flow, this.flowBytes.at(flow) + capturedBytes);
    if (first !== undefined && first.end - first.start !== capturedBytes) this.#columns.firstEnds.set(row, first.end);
    if (rest.length > 0) {
      this.#columns.more.set(row, this.#pool(rest));
      this.#columns.moreCount.set(row, rest.length);
    }
    if (message.header !== undefined) this.#addHeader(row, message.header.pieces);
    this.plainBytes += bytes;
    this.capturedBytes += capturedBytes;
    if (time !== null) {
      this.firstTime = Math.min(this.firstTime, time);
      this.lastTime = Math.max(this.lastTime, time);
    }
  }

  /** captureOffset of the payload's first byte. */
  startAt = (ordinal: number): number => this.#columns.starts.at(ordinal);
  /** Payload bytes, decompressed, and as captured. */
  sizeAt = (ordinal: number): number => this.#columns.sizes.at(ordinal);
  capturedSizeAt = (ordinal: number): number => this.#columns.sizes.at(ordinal) + this.#columns.packings.at(ordinal);
  /** Bytes of the transport's own header. */
  headerAt = (ordinal: number): number => this.#columns.headers.at(ordinal);
  /** Milliseconds since the epoch; NaN: the input has no clock. */
  timeAt = (ordinal: number): number => this.#columns.times.at(ordinal);
  directionAt = (ordinal: number): Message['direction'] => DIRECTIONS[this.#columns.directions.at(ordinal)] ?? null;
  /** Index in `groups`. */
  groupAt = (ordinal: number): number => this.#columns.group.at(ordinal);

  /** undefined: protobuf or native. */
  formatAt = (ordinal: number): PayloadFormat | undefined => this.groups.at(this.groupAt(ordinal)).format;

  /** With the query of its URL, unless too many queries differ. null: the message, or its group, has no method. */
  methodAt(ordinal: number): string | null {
    const { method } = this.groups.at(this.groupAt(ordinal));
    const query = this.#queries.wordOf(this.#columns.query.at(ordinal)) ?? '';
    return method === null ? null : method + query;
  }

  /** Number in `flows`. */
  flowAt = (ordinal: number): number => this.#columns.flow.at(ordinal);
  /** Number in `statuses`. */
  statusNumberAt = (ordinal: number): number => this.#columns.status.at(ordinal);
  statusAt = (ordinal: number): string | null => this.statuses.wordOf(this.#columns.status.at(ordinal));

  /** The version that the transport names; null: it names none. */
  versionAt = (ordinal: number): string | null => this.#versions.wordOf(this.#columns.version.at(ordinal));

  /** captureOffset of a payload that is contiguous and not compressed; −1: it has to be assembled. */
  plainStartAt(ordinal: number): number {
    const isPlain = this.#columns.compression.at(ordinal) === 0 && this.#columns.moreCount.at(ordinal) === 0;
    return isPlain ? this.#columns.starts.at(ordinal) : -1;
  }

  bodyAt(ordinal: number): BodyRef {
    const start = this.#columns.starts.at(ordinal);
    const compression = this.#compressions.wordOf(this.#columns.compression.at(ordinal));
    const first = { start, end: this.#columns.firstEnds.at(ordinal) || start + this.capturedSizeAt(ordinal) };
    const pieces = [first, ...this.#pooledFrom(this.#columns.more.at(ordinal), this.#columns.moreCount.at(ordinal))];
    const history = this.#histories.at(this.#columns.history.at(ordinal));
    if (history === undefined) return { pieces, compression };
    return { pieces, compression, after: { history, count: this.#columns.before.at(ordinal) } };
  }

  /** A message as it was added. */
  messageAt(ordinal: number): TableRow {
    const { transport, typeHint, format } = this.groups.at(this.groupAt(ordinal));
    const time = this.timeAt(ordinal);
    const pieces = this.headerPiecesAt(ordinal);
    const version = this.versionAt(ordinal);
    return {
      ...{ transport, method: this.methodAt(ordinal), typeHint },
      ...(format === undefined ? {} : { format }),
      body: this.bodyAt(ordinal),
      bytes: this.sizeAt(ordinal),
      capturedBytes: this.capturedSizeAt(ordinal),
      time: Number.isNaN(time) ? null : time,
      flow: this.flows.wordOf(this.flowAt(ordinal)),
      direction: this.directionAt(ordinal),
      status: this.statusAt(ordinal),
      headerBytes: this.headerAt(ordinal),
      ...(pieces === null ? {} : { header: { pieces } }),
      ...(version === null ? {} : { context: { version } }),
    };
  }

  hasHeaderPieces = (ordinal: number): boolean => this.#columns.headerEnds.at(ordinal) > 0;

  /** The pieces of the header's part that is written as a message; null: no such part. */
  headerPiecesAt(ordinal: number): readonly Piece[] | null {
    if (!this.hasHeaderPieces(ordinal)) return null;
    const first = { start: this.#columns.headerStarts.at(ordinal), end: this.#columns.headerEnds.at(ordinal) };
    return [
      first,
      ...this.#pooledFrom(this.#columns.headerMore.at(ordinal), this.#columns.headerMoreCount.at(ordinal)),
    ];
  }

  #addHeader(row: number, [first, ...rest]: readonly Piece[]): void {
    if (first === undefined) return;
    this.#columns.headerStarts.set(row, first.start);
    this.#columns.headerEnds.set(row, first.end);
    if (rest.length === 0) return;
    this.#columns.headerMore.set(row, this.#pool(rest));
    this.#columns.headerMoreCount.set(row, rest.length);
  }

  /** Stores the pieces in the pools. Returns where they begin. */
  #pool(pieces: readonly Piece[]): number {
    const from = this.#pooled;
    for (const { start, end } of pieces) {
      this.#columns.poolStarts.set(this.#pooled, start);
      this.#columns.poolEnds.set(this.#pooled, end);
      this.#pooled++;
    }
    return from;
  }

  #pooledFrom(from: number, count: number): readonly Piece[] {
    return Array.from({ length: count }, (_, at) => ({
      start: this.#columns.poolStarts.at(from + at),
      end: this.#columns.poolEnds.at(from + at),
    }));
  }
}

const queryOf = ({ method }: Pick<Message, 'method'>): string | null => (method && splitQuery(method)[1]) || null;

/** The histories that the cells name. The cells then hold their numbers in a list of these alone. */
function historiesIn(cells: NumberCells | null, histories: HistoryList): readonly History[] {
  const used = new HistoryList();
  for (let at = 0; cells !== null && at < cells.length; at++) {
    const history = histories.at(cells[at]!);
    if (history !== undefined) cells[at] = used.numberOf(history);
  }
  return used.all();
}

/** The words that the cells name. The cells then hold their numbers in a list of these words alone. */
function wordsIn(cells: NumberCells | null, words: WordList): readonly string[] {
  const used = new WordList();
  for (let at = 0; cells !== null && at < cells.length; at++) cells[at] = used.numberOf(words.wordOf(cells[at]!));
  return used.all();
}
