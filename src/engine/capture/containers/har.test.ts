import { describe, expect, test } from 'vitest';
import { createHarReader } from './har.ts';
import { emptyLayers, sumLayers } from './packets-layers.ts';
import { CaptureLog } from './packets-log.ts';

/** Each body as `url: body`, and what was found and spent. */
function read(text: string, { chunk = 1 << 20, longestEntry = 1 << 20 } = {}) {
  const bytes = new TextEncoder().encode(text);
  const layers = emptyLayers();
  const log = new CaptureLog(layers);
  const bodies: string[] = [];
  let size = 0;
  const reader = createHarReader(
    {
      exchange({ url, request, response }) {
        for (const body of [request.body, response.body]) {
          if (body === null) continue;
          const said = new TextDecoder().decode(body.bytes);
          expect(new TextDecoder().decode(bytes.subarray(body.captureOffset))).toMatch(said);
          bodies.push(`${url}: ${said}`);
          size += body.bytes.length;
        }
      },
      socket: () => undefined,
    },
    layers,
    log,
    longestEntry,
  );
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  reader.end();
  expect(sumLayers(layers) + size).toBe(bytes.length);
  return { bodies, codes: log.finish().map(({ code }) => code), unattributed: layers.unattributed };
}

const entry = (url: string, text: string): string =>
  `{"request":{"url":"${url}"},"response":{"content":{"mimeType":"a\\"}","text":"${text}"}}}`;
const [A, B, C] = [entry('a', '1{'), entry('b', '22\\\\'), entry('c', '333')];

describe('entries', () => {
  test.each([
    ['first', `{"log":{"entries":[${A},${B},${C}]}}`],
    [
      'behind other things',
      `\uFEFF { "log" : { "pages":[{"entries":[{}]}], "x":{"y":"]"}, "entries" : [ ${A},\n${B} , ${C} ] } }`,
    ],
    ['before other things', `{"log":{"entries":[${A},${B},${C}],"pages":[{"entries":[${A}]}]},"entries":[${A}]}`],
    ['among entries that are not exchanges', `{"log":{"entries":[1,"{",[${A}],${A},null,${B},${C}]}}`],
  ])('%s', (_name, text) => {
    for (const chunk of [1 << 20, 1, 3, 50]) {
      expect(read(text, { chunk })).toEqual({ bodies: ['a: 1{', 'b: 22\\\\', 'c: 333'], codes: [], unattributed: 0 });
    }
  });

  test('an entry that is not valid JSON is reported, and the next ones are read', () => {
    const broken = B.replace('"request":', '"request"=');
    expect(read(`{"log":{"entries":[${A},${broken},${C}]}}`)).toEqual({
      bodies: ['a: 1{', 'c: 333'],
      codes: ['har/malformed'],
      unattributed: broken.length,
    });
  });

  test('an entry that is too long is skipped, in chunks of any size', () => {
    const long = entry('long', 'x'.repeat(5000));
    for (const chunk of [1 << 20, 1, 700]) {
      const options = { chunk, longestEntry: 1000 };
      expect(read(`{"log":{"entries":[${A},${long},${C}]}}`, options)).toEqual({
        bodies: ['a: 1{', 'c: 333'],
        codes: ['har/too-large'],
        unattributed: long.length,
      });
    }
  });

  test.each([
    ['within an entry', `{"log":{"entries":[${A},${B.slice(0, -9)}`, ['a: 1{'], B.length - 9],
    ['between two', `{"log":{"entries":[${A},`, ['a: 1{'], 0],
  ])('a file that ends %s gives the entries before', (_name, text, bodies, unattributed) => {
    expect(read(text, { chunk: 10 })).toEqual({ bodies, codes: ['capture/ends-early'], unattributed });
  });

  test.each(['{"log":{}}', '{"log":[[{}]]}', '{"log":{"entries":{"0":{}}}}', '{"log":'])(
    '%s has no entries',
    (text) => {
      expect(read(text)).toEqual({ bodies: [], codes: ['har/malformed'], unattributed: text.length });
    },
  );
});
