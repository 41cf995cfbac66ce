import { expect, test } from 'vitest';
import {
  batchWords,
  computedNote,
  leftOut,
  lostCount,
  pairedFields,
  piecesText,
  refusedChanges,
} from './advice-notes.ts';
import {
  aDayText,
  adviceMarkdown,
  appliedText,
  changeText,
  isResized,
  newNumbersText,
  prefixesText,
  rewrittenText,
  timeText,
} from './advice-words.ts';

const measure = (bytes: number, zstd: number) => ({ bytes, compressed: { zstd } });

test('messages that are compared in another order say what they take as captured', () => {
  const words = (captured: ReturnType<typeof measure>, id?: string) =>
    rewrittenText(measure(1000, 500), captured, id, 'zstd level 3').replaceAll('\u00a0', ' ');
  expect(words(measure(1000, 500), 'zstd')).toBe('');
  expect(words(measure(1000, 510), 'zstd')).toBe(
    'For the comparison, the messages are written anew in the order of their field numbers. As captured, they take 1,000 bytes, 510 with zstd level 3.',
  );
  expect(words(measure(1000, 510))).toBe('');
  // An order alone does not change the size.
  expect(words(measure(1020, 510))).toBe(
    'For the comparison, the messages are written anew as a protobuf library writes them: in the order of their field numbers, each value once, and packed if the schema declares it. As captured, they take 1,020 bytes.',
  );
});

test.each([
  [0, 'less than 0.1'],
  [0.049, 'less than 0.1'],
  [0.05, '0.1'],
  [6.25, '6.3'],
  [12.5, '13'],
])('%d times the time takes %s', (time, words) => {
  expect(timeText(time, 'zstd').replaceAll('\u00a0', ' ')).toContain(`It takes ${words} × the time of zstd here:`);
});

test('size prefixes explain why the sizes by cause are smaller than the sentence', () => {
  const diff = (a: number, b: number) => ({ a: { bytes: a }, b: { bytes: b } }) as Parameters<typeof prefixesText>[2];
  const words = (...args: Parameters<typeof prefixesText>) => prefixesText(...args).replaceAll('\u00a0', ' ');
  expect(words(1100, 900, diff(1100, 900))).toBe('');
  expect(words(1100, 900, diff(1000, 800))).toMatch(/without the size prefixes of the messages \(100 bytes\):$/);
  expect(words(1100, 900, diff(1000, 850))).toMatch(/\(100 bytes before, 50 bytes after\):$/);
  expect(words(1100, 900, diff(1100, 899))).toMatch(/\(0 bytes before, 1 byte after\):$/);
});

test('fields with new numbers are named with their messages: several messages may have a field of a name', () => {
  const move = (message: string, field: string) => ({ change: 'number', message, field, from: 1, to: 9 }) as const;
  const moves = [move('a.Result', 'hits'), move('a.Hits', 'hits')];
  const row = {
    after: measure(900, 480),
    saved: measure(100, 20),
    deployed: { moves, after: measure(1010, 510), saved: measure(-10, -10) },
  } as unknown as Parameters<typeof newNumbersText>[0];
  const words = newNumbersText(row, measure(1000, 500), { id: 'zstd', label: 'zstd level 3' });
  expect(words.join(' ').replaceAll('\u00a0', ' ')).toBe(
    'In the patch Result.hits, Hits.hits have new numbers, so that no old record is misread. With the present numbers: 900 bytes, −100 (−10.0 %); 480 with zstd level 3, −20 (−4.00 %).',
  );
  const one = { ...row, deployed: { ...row.deployed, moves: moves.slice(0, 1) } };
  expect(newNumbersText(one, measure(1000, 500), undefined).join(' ').replaceAll('\u00a0', ' ')).toBe(
    'In the patch Result.hits has a new number, so that no old record is misread. With the present number: 900 bytes, −100 (−10.0 %).',
  );
  const same = { ...one, deployed: { ...one.deployed, after: measure(900, 480) } };
  expect(newNumbersText(same, measure(1000, 500), undefined)).toEqual([
    'In the patch Result.hits has a new number, so that no old record is misread.',
  ]);
});

test.each([
  [1, [], 'This change cannot be made: a.B.c has no place.'],
  [2, [], 'These changes do not go together: a.B.c has no place.'],
  [
    3,
    ['Declare c sint', 'Leave out c'],
    'These changes do not go together: “Declare c sint”, “Leave out c”. a.B.c has no place.',
  ],
])('%i refused changes, of the rows %j', (count, titles, words) => {
  expect(refusedChanges('a.B.c has no place', count, titles)).toBe(words);
});

test.each([
  [0, 0, ''],
  [1, 0, '1 message cannot be read whole and is left out.'],
  [1200, 0, '1,200 messages cannot be read whole and are left out.'],
  [0, 1, '1 message is left out: its values take too much memory.'],
  [
    2,
    3,
    '2 messages cannot be read whole and are left out. 3 messages are left out: their values take too much memory.',
  ],
])('%i messages that cannot be read, %i too large', (unread, tooLarge, words) => {
  expect(leftOut({ unread, tooLarge })).toBe(words);
});

test.each([
  [1, 1, ''],
  [1500, 1, ', 1,500 messages joined and compressed at once'],
  [2, 2, ', 2 messages, each compressed alone'],
  [5, 2, ', 5 messages in 2 pieces, each compressed alone'],
])('%i messages compressed in %i pieces', (measured, pieces, words) => {
  expect(piecesText({ measured, pieces })).toBe(words);
});

test.each([
  [
    'one message',
    { messages: 1, fixed: 1, sizes: [1] },
    '1 message has 1,000 of hits. Each message also has 1 byte for any number of them.',
  ],
  [
    'many, the smallest left out',
    { messages: 9, fixed: 4000, sizes: [10, 100] },
    '9 messages have 1,000 of hits. Each message also has 4,000 bytes for any number of them. Messages of fewer than 10 are left out: they would repeat these 4,000 bytes too often to measure.',
  ],
])('records that are split again: %s', (_, { sizes, ...facts }, words) => {
  const batches = { path: 'hits', records: 1000, ...facts, sizes: sizes.map((records) => ({ records })) };
  expect(batchWords(batches as unknown as Parameters<typeof batchWords>[0]).replaceAll('\u00a0', ' ')).toBe(words);
});

test('messages without a list of records have no sizes', () => {
  const batches = { path: null, records: 9, messages: 9, fixed: null, sizes: [] };
  expect(batchWords(batches as unknown as Parameters<typeof batchWords>[0])).toMatch(
    /^The 9 messages hold no list of records\./,
  );
});

test.each([
  [0, 9, 1, '0 B'],
  [0, 0, 1, '0 B'],
  [1, 864, 9, '−900 B'],
  [1, 864, 10, '−1.0 kB'],
  [-10, 10, 0.11, '+9.5 kB'],
  [1, 1, 0.115, '−9.9 kB'],
  [1, 1, 0.1153, '−10 kB'],
  [1, 1, 11.568, '−999 kB'],
  [1, 1, 11.57, '−1.0 MB'],
  [180, 1, 1e5, '−1.6 TB'],
])('%i bytes saved in %i messages, %d a second', (saved, messages, rate, words) => {
  expect(aDayText(saved, messages, rate).replaceAll('\u00a0', ' ')).toBe(words);
});

test('a saving has a minus, and no saving has no share', () => {
  const words = [changeText(180, 9191), changeText(-3, 300), changeText(0, 300), changeText(0, 0)];
  expect(words.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(['−180 (−1.96 %)', '+3 (+1.00 %)', '0', '0']);
});

test.each([
  ['no size', [900, 400], [900, 400], 'zstd', false],
  ['the plain size', [901, 400], [900, 400], 'zstd', true],
  ['the compressed size, within the noise', [900, 412], [900, 400], 'zstd', false],
  ['the compressed size, less than before', [900, 400], [900, 413], 'zstd', true],
  ['the compressed size, which is not measured', [900, 400], [900, 413], undefined, false],
] as const)('new numbers change %s', (_, [bytes, zstd], [deployed, packed], id, expected) => {
  const row = { after: measure(bytes, zstd), deployed: { after: measure(deployed, packed) }, noise: { zstd: 12 } };
  expect(isResized(row as unknown as Parameters<typeof isResized>[0], id)).toBe(expected);
});

test('a change without effect, and one that costs, say it', () => {
  const row = (saved: number) =>
    ({
      ...{ deployed: { moves: [], after: measure(100 - saved, 50 - saved), saved: measure(saved, saved) } },
      ...{ saved: measure(saved, saved), noise: { zstd: 4 }, isSettled: true, isNoDifference: saved === 0 },
    }) as unknown as Parameters<typeof appliedText>[0];
  const words = (saved: number) =>
    appliedText(row(saved), measure(100, 50), { id: 'zstd', label: 'zstd level 3' }, null).map((sentence) =>
      sentence.replaceAll('\u00a0', ' '),
    );
  expect(words(0)).toEqual(['100 bytes, as before.', '50 bytes with zstd level 3: no difference (±4).']);
  expect(words(-5)).toEqual(['105 bytes: 5 bytes more (5.00 %).', '55 bytes with zstd level 3: +5 (+10.0 %) ±4.']);
});

test('fields whose values an edited schema does not hold are counted, and named where the saving is copied', () => {
  expect(lostCount(1)).toBe('Values of 1 field are not written.');
  expect(lostCount(4)).toBe('Values of 4 fields are not written.');
  expect(pairedFields(1, 0, 5)).toBe('1 of 5 fields with values is written as the field of the same name.');
  expect(pairedFields(3, 1, 4)).toBe(
    '3 of 4 fields with values are written as the field of the same name; as another one:',
  );
  const row = {
    deployed: { moves: [], after: measure(2, 11), saved: measure(2, 3) },
    ...{ saved: measure(2, 3), noise: {}, compatibility: { binary: 'safe', json: 'safe', source: 'safe' } },
  } as unknown as Parameters<typeof adviceMarkdown>[1];
  const rows = [
    { a: 'a|b', b: null, bytes: { a: 9, b: 0 } },
    { a: 'same', b: 'same', bytes: { a: 4, b: 4 } },
  ];
  const diff = { rows } as unknown as Parameters<typeof adviceMarkdown>[4];
  const zstd = { id: 'zstd', label: 'zstd level 3' };
  const some = { lost: ['M.id', 'S.x'], lostSize: measure(33, 26) };
  const none = { lost: [], lostSize: measure(0, 0) };
  const copied = (lost: typeof some | null) => adviceMarkdown('M', row, measure(37, 40), zstd, diff, lost);
  expect(copied(some)).toContain('so they are not written: M.id, S.x.\n\nCompatibility');
  expect(copied(some)).toContain('| bytes | 37 | 2 | −2 (−5.41 %), apart from 33 bytes of lost values |');
  expect(copied(some)).toContain('| 40 | 11 | −3 (−7.50 %), apart from 26 bytes of lost values |');
  expect(copied(some).split('\n').slice(0, 2)).toEqual([
    '| M | before | after | change |',
    '| --- | ---: | ---: | ---: |',
  ]);
  expect(copied(some)).toContain('\n| `a\\|b` | 9 | 0 | −9 |\n\n');
  for (const lost of [null, none]) expect(copied(lost)).not.toMatch(/written|lost/);
  const headline = (lost: typeof some | null) =>
    appliedText(row, measure(37, 40), zstd, lost).map((sentence) => sentence.replaceAll('\u00a0', ' '));
  expect(headline(some)).toEqual([
    '2 bytes: 2 bytes less (5.41 %), apart from 33 bytes of lost values.',
    '11 bytes with zstd level 3: −3 (−7.50 %), apart from 26 bytes of lost values.',
  ]);
  expect(headline(null)).toEqual(['2 bytes: 2 bytes less (5.41 %).', '11 bytes with zstd level 3: −3 (−7.50 %).']);
});

test.each([
  ['all', 9, 9, 'The messages were captured in another encoding than protobuf: the bytes are those in protobuf.'],
  ['one', 1, 1, 'The message was captured in another encoding than protobuf: the bytes are those in protobuf.'],
  ['a part', 3, 9, '3 messages were captured in another encoding than protobuf: the bytes are those in protobuf.'],
  ['a part of one', 1, 9, '1 message was captured in another encoding than protobuf: the bytes are those in protobuf.'],
  ['none', 0, 9, ''],
])('messages whose protobuf is computed: %s', (_, computed, messages, words) => {
  expect(computedNote(computed, messages)).toBe(words);
});
