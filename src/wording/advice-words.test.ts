import { expect, test } from 'vitest';
import { lostCount, pairedFields, refusedChanges } from './advice-notes.ts';
import { adviceMarkdown, appliedText, newNumbersText, prefixesText, rewrittenText, timeText } from './advice-words.ts';

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

test('fields whose values an edited schema does not hold are counted, and named where the saving is copied', () => {
  expect(lostCount(4)).toBe('Values of 4 fields are not written.');
  expect(pairedFields(1, 0, 5)).toBe('1 of 5 fields with values is written as the field of the same name.');
  expect(pairedFields(3, 1, 4)).toBe(
    '3 of 4 fields with values are written as the field of the same name; as another one:',
  );
  const row = {
    deployed: { moves: [], after: measure(2, 11), saved: measure(2, 3) },
    ...{ saved: measure(2, 3), noise: {}, compatibility: { binary: 'safe', json: 'safe', source: 'safe' } },
  } as unknown as Parameters<typeof adviceMarkdown>[1];
  const diff = { rows: [] } as unknown as Parameters<typeof adviceMarkdown>[4];
  const zstd = { id: 'zstd', label: 'zstd level 3' };
  const some = { lost: ['M.id', 'S.x'], lostSize: measure(33, 26) };
  const none = { lost: [], lostSize: measure(0, 0) };
  const copied = (lost: typeof some | null) => adviceMarkdown('M', row, measure(37, 40), zstd, diff, lost);
  expect(copied(some)).toContain('so they are not written: M.id, S.x.\n\nCompatibility');
  expect(copied(some)).toContain('| bytes | 37 | 2 | −2 (−5.41 %), apart from 33 bytes of lost values |');
  expect(copied(some)).toContain('| 40 | 11 | −3 (−7.50 %), apart from 26 bytes of lost values |');
  for (const lost of [null, none]) expect(copied(lost)).not.toMatch(/written|lost/);
  const headline = (lost: typeof some | null) =>
    appliedText(row, measure(37, 40), zstd, lost).map((sentence) => sentence.replaceAll('\u00a0', ' '));
  expect(headline(some)).toEqual([
    '2 bytes: 2 bytes less (5.41 %), apart from 33 bytes of lost values.',
    '11 bytes with zstd level 3: −3 (−7.50 %), apart from 26 bytes of lost values.',
  ]);
  expect(headline(null)).toEqual(['2 bytes: 2 bytes less (5.41 %).', '11 bytes with zstd level 3: −3 (−7.50 %).']);
});
