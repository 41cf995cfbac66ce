/** The JSON of any input is at most 64 times as large as the input, beside a fixed part; its sums stay whole. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { totalIn } from '#engine/cost/profile.ts';
import { fieldJson, profileJson } from '#engine/cost/profile-json.ts';
import { keepingFiles } from '../kept-files.testing.ts';
import { nested, numbers, varint, wide } from '../made-messages.testing.ts';
import { MEASURE_OPTIONS, measure, type ProfileSection } from '../measure/measure.ts';
import { parseOptions } from '../options/arguments.ts';
import { run } from '../run.ts';
import { listRows, printedSize } from './listed-rows.ts';

const { write } = keepingFiles();

interface Folded {
  readonly types?: number;
  readonly rows: number;
  readonly from: number | null;
}
interface Row {
  readonly path: string;
  readonly ledgers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly protobuf: Readonly<Record<string, number>>;
  readonly native: Readonly<Record<string, number>>;
  readonly folded?: Folded;
}
interface Type {
  readonly messages: number;
  readonly bytes: { readonly protobuf: number; readonly native: number };
  readonly ledgers: Readonly<
    Record<string, { readonly bytes: number | null; readonly own: Readonly<Record<string, object>> }>
  >;
  readonly unattributed: number;
  readonly fields: readonly Row[];
  readonly folded?: Folded;
}

const sum = (cells: object): number => Object.values(cells).reduce((total: number, bytes: number) => total + bytes, 0);

/** The printed types. Their size and their sums are checked. */
async function analyze(input: Uint8Array, ...args: readonly string[]): Promise<readonly Type[]> {
  const { code, out, err } = await run(['analyze', write('input.bin', input), '--json', ...args]);
  expect(code, err).toBe(0);
  expect(Buffer.byteLength(out)).toBeLessThanOrEqual(512 * 1024 + 2048 + 64 * input.length);
  const { types, inputs } = JSON.parse(out) as { types: readonly Type[]; inputs: readonly { payloadBytes: number }[] };
  for (const { fields, ledgers, bytes, unattributed } of types) {
    for (const [id, ledger] of Object.entries(ledgers)) {
      const own = Object.values(ledger.own).reduce((total, cells) => total + sum(cells), 0);
      expect(fields.reduce((total, field) => total + sum(field.ledgers[id] ?? {}), own)).toBe(ledger.bytes ?? own);
    }
    expect(fields.reduce((total, { protobuf }) => total + sum(protobuf), unattributed)).toBe(bytes.protobuf);
    expect(fields.reduce((total, { native }) => total + sum(native), 0)).toBe(bytes.native);
  }
  expect(types.reduce((total, { bytes }) => total + bytes.protobuf, 0)).toBe(inputs[0]!.payloadBytes);
  return types;
}

/** The paths of all rows, printed step by step, in the order of the steps. */
async function everyPath(input: Uint8Array, ...args: readonly string[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const types: readonly Type[] = await analyze(input, ...args, '--from', String(from));
    const printed = types.filter(({ folded }) => folded === undefined);
    paths.push(...printed.flatMap(({ fields }) => fields.flatMap(({ path, folded }) => (folded ? [] : [path]))));
    const rows = types.flatMap(({ folded, fields }) => [folded, ...fields.map((field) => field.folded)]);
    const next: number | null = rows.find((folded) => folded !== undefined)?.from ?? null;
    expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(from);
    from = next;
  }
  return paths;
}

describe('JSON is at most 64 times as large as its input, beside 512 KiB', () => {
  test.each([
    ['many unknown numbers', numbers(5000), null],
    ['a deep message of a wide type', nested(300, [16, 1]), wide(150, 'a_field_with_a_long_name')],
    ['a small message of a wide type', Uint8Array.of(16, 1), wide(900, 'a_field_with_a_long_name')],
    ['a small message of a type with very long names', nested(8, [16, 1]), wide(40, 'long_'.repeat(1000))],
  ] as const)('%s', async (_, input, schema) => {
    const args = schema === null ? ['--by-number'] : ['--schema', write('wide.proto', schema), '--type', 'M'];
    const [type] = await analyze(input, ...args);
    const rows = type!.fields.at(-1)!;
    expect(rows.path).toBe('…');
    expect(rows.folded!.rows).toBeGreaterThan(0);
    await analyze(input, ...args, '--native', 'opensearch');
    await analyze(input, ...args, '--encodings', 'json,native,thrift-binary');
  });

  test('any message, with any number of absent fields', async () => {
    const field = fc
      .tuple(fc.nat(4000), fc.nat(300))
      .map(([number, value]) => [...varint((number + 1) * 8), ...varint(value)]);
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 400 }), fc.nat(12), fc.nat(500), async (fields, depth, absent) => {
        const schema = write('any.proto', wide(absent, 'name'));
        await analyze(nested(depth, fields.flat()), '--schema', schema, '--type', 'M', '--framing', 'single');
      }),
      { numRuns: 15 },
    );
  });
});

test('types that do not fit are added up in one, and reached by their first row', async () => {
  const input = write('one.bin', numbers(3));
  const { sections } = await measure(parseOptions([input, '--by-number', '--native', 'opensearch'], MEASURE_OPTIONS));
  const [{ profile }] = sections as [ProfileSection];
  const many = Array.from({ length: 40 }, (_, at) => ({ profile: { ...profile, type: `T${at}` } }));
  const headOf = ({ profile: of }: (typeof many)[number]) => profileJson({ ...of, fields: [] });
  const room = 40_000;
  const found: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const { types, folded } = listRows(many, headOf, { room, from });
    const printed = types.map((type) => ({
      ...headOf(type.section),
      fields: [
        ...type.fields.map((field) => fieldJson(field, profile)),
        ...(type.folded === null ? [] : [type.folded]),
      ],
    }));
    const all = [...printed, folded] as readonly Type[];
    expect(printedSize(all, 1)).toBeLessThanOrEqual(room);
    expect(all.reduce((total, { messages }) => total + messages, 0)).toBe(40 * profile.messages);
    for (const id of ['protobuf', 'native'] as const) {
      const bytes = all.flatMap(({ fields }) => fields.map((field) => sum(field[id])));
      expect(bytes.reduce((a, b) => a + b)).toBe(40 * totalIn(profile, id === 'native' ? profile.pair[1] : id));
    }
    found.push(...types.flatMap(({ section, fields }) => fields.map(({ path }) => `${section.profile.type} ${path}`)));
    from = all.at(-1)!.folded!.from;
  }
  const rows = many.flatMap(({ profile: { type } }) => profile.fields.map(({ path }) => `${type} ${path}`));
  expect(found).toEqual(rows);
});

describe('rows that are not printed', () => {
  test('are reached with --from, each of them once', async () => {
    const paths = await everyPath(numbers(1000), '--by-number');
    expect(paths.length).toBe(1000);
    expect(new Set(paths).size).toBe(1000);
  });

  test('are those that never occur, if there are any', async () => {
    const schema = write('wide.proto', wide(900, 'a_field_with_a_long_name'));
    // The last declared field is the only one.
    const [type] = await analyze(Uint8Array.from([...varint(901 * 8), 1]), '--schema', schema, '--type', 'M');
    expect(type!.fields[0]!.path).toBe('a_field_with_a_long_name_899');
    expect(type!.fields.at(-1)!.folded!.rows).toBe(901 - (type!.fields.length - 1));
  });

  test('without --json there is no row to begin with', async () => {
    const { code, err } = await run(['analyze', write('few.bin', numbers(3)), '--from', '2']);
    expect([code, err]).toEqual([1, expect.stringContaining('--from needs --json')]);
  });
});
