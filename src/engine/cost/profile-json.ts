/**
 * A profile → the form that other programs read (`docs/profile-json.md`): every ledger by its id. It also has the keys
 * of the first version, `protobuf` and `native`, for two of the ledgers.
 */
import { type FieldProfile, type LedgerCells, PROTOBUF, type Profile, totalIn } from './profile.ts';

/** Figures of protobuf, and of the encoding that it is compared with. */
export interface TwoSides<T> {
  readonly protobuf: T;
  readonly native: T;
}

/** Categories that are there with 0 bytes, too. */
type CellsWith<K extends keyof LedgerCells> = LedgerCells & Required<Pick<LedgerCells, K>>;

export interface FieldJson extends Omit<FieldProfile, 'names'> {
  readonly protobuf: CellsWith<'tag' | 'length' | 'value'>;
  readonly native: CellsWith<'flag' | 'count' | 'length' | 'type' | 'value'>;
  readonly names: TwoSides<number>;
}

export interface ProfileJson extends Omit<Profile, 'pair' | 'header' | 'fields'> {
  /** Id of the native profile, or of the encoding that replaces it; null: only protobuf was measured. */
  readonly nativeProfile: string | null;
  /**
   * The two compared ledgers, if the first is not protobuf's because the messages were captured in another encoding.
   */
  readonly pair?: Profile['pair'];
  readonly bytes: TwoSides<number>;
  readonly header: TwoSides<number> | null;
  readonly fields: readonly FieldJson[];
}

export function profileJson(profile: Profile): ProfileJson {
  const { type, pair, other, nativeLedger, messages, header, ledgers, unattributed, contents, fields } = profile;
  const second = pair[1];
  return {
    type,
    nativeProfile: second,
    ...(pair[0] === PROTOBUF ? {} : { pair }),
    ...(other === undefined ? {} : { other }),
    ...(nativeLedger === undefined ? {} : { nativeLedger }),
    messages,
    bytes: { protobuf: totalIn(profile, PROTOBUF), native: totalIn(profile, second) },
    header: header === null ? null : sidesOf(header, second),
    ledgers,
    unattributed,
    ...(contents === undefined ? {} : { contents }),
    fields: fields.map((field) => fieldJson(field, profile)),
  };
}

export function fieldJson(field: FieldProfile, { pair, ledgers }: Pick<Profile, 'pair' | 'ledgers'>): FieldJson {
  const { path, parent, name, number, declared, writer, occurrences, elements, packedRuns, parents, presence } = field;
  const { absent, utf16, widths, size, waste, writers, types } = field;
  const second = pair[1];
  return {
    ...{ path, parent, name, number, declared, writer, occurrences, elements, packedRuns, parents, presence },
    protobuf: { tag: 0, length: 0, value: 0, ...field.ledgers[PROTOBUF] },
    native: { flag: 0, count: 0, length: 0, type: 0, value: 0, ...(second === null ? {} : field.ledgers[second]) },
    absent,
    names: sidesOf(field.names, second),
    ...{ utf16, widths, size, waste, writers, types },
    ledgers: Object.fromEntries(Object.keys(ledgers).map((id) => [id, field.ledgers[id] ?? {}])),
  };
}

const sidesOf = (figures: Readonly<Record<string, number>>, second: string | null): TwoSides<number> => ({
  protobuf: figures[PROTOBUF] ?? 0,
  native: (second === null ? undefined : figures[second]) ?? 0,
});
