import fc from 'fast-check';
import { deflateSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { crc32 } from '#engine/bytes/crc32.ts';
import { arbitraryShared } from '#testing/arbitrary-shared.ts';
import { encodeBase64url } from './base64url.ts';
import { decodeFragment, encodeFragment, MAX_FRAGMENT, MAX_PARCEL } from './fragment.ts';
import { plainView } from './plain-view.ts';
import type { Shared } from './shared.ts';
import { VERSION } from './upgrades.ts';

const RUNS = { numRuns: 1000 };

/** Plain data, so that objects without a prototype and with one are the same. */
const plain = (shared: Shared) => structuredClone(shared);

const EXAMPLE: Shared = {
  source: { name: 'search.hex', messages: 1, size: 17, coverage: null, losses: [] },
  made: { date: '2026-11-21', by: '0.1.0' },
  view: {
    ...plainView('t.Hit', 'opensearch'),
    overrides: { 't.Hit.version': 'ZLONG' },
    selection: { path: 'version', ordinal: 0, row: { encoding: 'protobuf', path: 'version', occurrence: 0 } },
  },
  data: {
    kind: 'inline',
    payload: Uint8Array.of(0x0a, 0x01, 0x61, 0x10, 0x02),
    textEncoding: 'binary',
    framing: 'single',
    schema: [
      { path: 'hit.proto', content: 'syntax = "proto3"; package t; message Hit { string id = 1; int64 version = 2; }' },
    ],
  },
};
const LINK = encodeFragment(EXAMPLE)!;

/** They cannot be compressed. */
function randomBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** The envelope of a link around any parcel, as an attacker would make it. */
function wrap(parcel: Uint8Array, version = VERSION): string {
  const body = `${encodeBase64url(deflateSync(parcel, { level: 9 }))}w`;
  const sum = crc32(new TextEncoder().encode(`w${version}-${body}`))
    .toString(36)
    .padStart(7, '0');
  return `w${version}-${body.length}-${sum}-${body}`;
}

function parcelOf(json: string, bytes = new Uint8Array(0)): Uint8Array {
  const text = new TextEncoder().encode(json);
  return Uint8Array.of(0, 0, text.length >> 8, text.length & 255, ...text, ...bytes);
}

const faultOf = async (fragment: string) => {
  const opened = await decodeFragment(fragment);
  return opened.ok ? 'opened' : opened.fault.code;
};

test('any link opens as it was shared', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryShared, async (shared) => {
      expect(await decodeFragment(encodeFragment(shared)!)).toEqual({ ok: true, value: plain(shared) });
    }),
    RUNS,
  );
});

test('a whole link opens with any text behind it', async () => {
  const behind = fc.constantFrom('.', ')', '>', '),', '...', '?utm_source=mail', ' and', '\u201d');
  await fc.assert(
    fc.asyncProperty(arbitraryShared, behind, async (shared, more) => {
      expect(await decodeFragment(encodeFragment(shared)! + more)).toEqual({ ok: true, value: plain(shared) });
    }),
    RUNS,
  );
});

test('a link has only characters that every chat program keeps, and ends with a letter', () => {
  fc.assert(fc.property(arbitraryShared, (shared) => /^[\w-]*w$/.test(encodeFragment(shared)!)));
});

describe('a link that was damaged on its way', () => {
  test('cut after any character: the message says how much is missing', async () => {
    const shares = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    await fc.assert(
      fc.asyncProperty(arbitraryShared, shares, async (shared, share) => {
        const link = encodeFragment(shared)!;
        const cut = link.slice(0, 1 + Math.floor(share * (link.length - 1)));
        const opened = await decodeFragment(cut);
        if (opened.ok) throw new Error('It opened.');
        expect(opened.fault.code).toBe('cut');
        const [, missing] = /(\d+) (?:is|are) missing|all it carries is missing/.exec(opened.fault.message)!;
        if (missing !== undefined) expect(Number(missing)).toBe(link.length - cut.length);
      }),
      RUNS,
    );
  });

  test('each prefix of a link', async () => {
    for (let length = 1; length < LINK.length; length++)
      expect([length, await faultOf(LINK.slice(0, length))]).toEqual([length, 'cut']);
  });

  test('each change of one character', async () => {
    const others = fc.constantFrom(...'ABCXYZabcwxyz0123456789-_ /.%#é');
    await fc.assert(
      fc.asyncProperty(arbitraryShared, fc.nat(), others, async (shared, where, other) => {
        const link = encodeFragment(shared)!;
        const at = where % link.length;
        fc.pre(link[at] !== other);
        const opened = await decodeFragment(link.slice(0, at) + other + link.slice(at + 1));
        expect(opened.ok ? 'opened' : opened.fault.message).not.toBe('opened');
      }),
      { numRuns: 3000 },
    );
  });

  test('each character replaced once', async () => {
    for (let at = 0; at < LINK.length; at++) {
      for (const other of '0a-') {
        if (LINK[at] !== other)
          expect(await faultOf(LINK.slice(0, at) + other + LINK.slice(at + 1))).not.toBe('opened');
      }
    }
  });

  const [head, , , body] = /^(w\d+)-(\d+)-(\w+)-(.*)$/.exec(LINK)!.slice(1) as [string, string, string, string];
  const wrong = LINK.replace(body, body.replace('w', 'v'));
  test.each([
    ['nothing of it', 'w', 'cut', 'near its beginning; all it carries is missing'],
    ['in its length', `w${VERSION}-3`, 'cut', 'all it carries is missing'],
    ['before its end', LINK.slice(0, -7), 'cut', '7 are missing'],
    ['before its last character', LINK.slice(0, -1), 'cut', '1 is missing'],
    ['with a letter changed, and something behind it', `${wrong}.`, 'altered', 'characters and has'],
    ['said to be longer', LINK.replace(/-(\d+)-/, '-1$1-'), 'altered', 'says 1'],
    ['with a letter changed', wrong, 'altered', 'its checksum is wrong'],
    ['with another length', LINK.replace(/-\d+-/, '-7-'), 'altered', 'says 7 characters'],
    ['of a version to come', wrap(parcelOf('{}'), 12), 'newer', 'version 12'],
    ['of no version', LINK.replace(head, 'w0'), 'no-link', 'not a link of this app'],
    ['not a link', 'introduction', 'no-link', 'not a link of this app'],
  ])('%s', async (_, fragment, code, words) => {
    const opened = await decodeFragment(fragment);
    expect(opened).toMatchObject({ ok: false, fault: { code, message: expect.stringContaining(words) } });
  });
});

describe('a malicious link', () => {
  const view = JSON.stringify(EXAMPLE.view);
  const around = (data: string) =>
    `{"source":{"name":"x","messages":0,"size":0,"coverage":null,"losses":[]},"made":{"date":"2026-11-21","by":"x"},"view":${view},"data":${data}}`;
  const profile = (fields: string, rows: number, more = '', excerpt = 'null') =>
    around(
      `{"kind":"profile","compressed":null,"layers":null,"excerpt":${excerpt},"profile":{"type":"","pair":["protobuf",null],"messages":0,"header":null,"ledgers":{"protobuf":{"label":"protobuf","bytes":0,"refused":null,"losses":[],"own":{}}},"unattributed":0,"rows":${rows},"fields":${fields}${more}}}`,
    );

  /** Two bytes of a message of `size`, of which `named` have a name. */
  const excerptOf = (encoding: string, size: number, named: number) =>
    `{"ordinal":0,"path":"","sides":[{"encoding":"${encoding}","size":${size},"start":0,"bytes":{"bytes":[0,2]},"segments":[{"category":"value","bytes":${named},"path":"","words":""}],"lit":null}]}`;

  test.each([
    ['text that is not JSON', parcelOf('{'), 'not valid JSON'],
    ['text that is not UTF-8', Uint8Array.of(0, 0, 0, 1, 0xff), 'not UTF-8'],
    ['shorter than it says', Uint8Array.of(0, 0, 1), 'shorter than its beginning'],
    ['a name too many', parcelOf(around('{"kind":"sample","id":"x","more":1}')), 'data.more'],
    [
      'more explained than there is',
      parcelOf(
        around('{"kind":"sample","id":"x"}').replace(
          '"coverage":null',
          '"coverage":{"all":{"messages":1,"bytes":9},"explained":{"messages":1,"bytes":10}}',
        ),
      ),
      'source.coverage: More is explained',
    ],
    ['a kind of its own', parcelOf(around('{"kind":"script"}')), 'data.kind'],
    ['a sample that is a number', parcelOf(around('{"kind":"sample","id":1}')), 'data.id'],
    [
      'bytes from beyond',
      parcelOf(around('{"kind":"inline","payload":{"bytes":[0,9]},"textEncoding":null,"framing":null,"schema":[]}')),
      'data.payload',
    ],
    ['bytes that nothing names', parcelOf(around('{"kind":"sample","id":"x"}'), new Uint8Array(9)), 'does not name'],
    ['figures that do not sum', parcelOf(profile('[]', 0).replace('"bytes":0', '"bytes":5')), 'do not sum'],
    [
      'a comparison with nothing',
      parcelOf(profile('[]', 0).replace('["protobuf",null]', '["protobuf","avro"]')),
      'comparison names a ledger that is missing',
    ],
    [
      'bytes of a message without their names',
      parcelOf(profile('[]', 0, '', excerptOf('protobuf', 2, 1)), Uint8Array.of(8, 1)),
      'do not sum',
    ],
    [
      'bytes beyond their message',
      parcelOf(profile('[]', 0, '', excerptOf('protobuf', 1, 2)), Uint8Array.of(8, 1)),
      'do not lie in',
    ],
    [
      'a native side alone',
      parcelOf(profile('[]', 0, '', excerptOf('native', 2, 2)), Uint8Array.of(8, 1)),
      'protobuf, then',
    ],
    ['more rows than there are', parcelOf(profile('[]', 3)), 'data.profile'],
    ['rows without end', parcelOf(profile('{"c":{}}', 1e15)), 'data.profile'],
    [
      'lists without end',
      parcelOf(profile('{"a":{"a":{"c":1},"n":{"c":90000000}},"n":{"c":9000000}}', 1)),
      'data.profile',
    ],
    ['a name on the prototype', parcelOf(around('{"kind":"sample","id":"x","__proto__":{"a":1}}')), 'data.__proto__'],
    ['depth', parcelOf(`${'['.repeat(20_000)}${']'.repeat(20_000)}`), 'not valid JSON'],
    ['columns in columns', parcelOf(profile(`${'{"o":{"x":'.repeat(900)}[]${'}}'.repeat(900)}`, 0)), 'data.profile'],
  ])('%s', async (_, parcel, words) => {
    const opened = await decodeFragment(wrap(parcel));
    expect(opened).toMatchObject({ ok: false, fault: { code: 'malformed', message: expect.stringContaining(words) } });
  });

  test.each([
    ['zeros', new Uint8Array(64 << 20)],
    ['just too many', new Uint8Array(MAX_PARCEL + 1)],
  ])('a bomb of %s stops at the limit', async (_, bomb) => {
    const link = wrap(bomb);
    expect(link.length).toBeLessThan(MAX_FRAGMENT);
    const before = process.memoryUsage().arrayBuffers;
    expect(await faultOf(link)).toBe('too-large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
  });

  test.each<[what: string, payload: Uint8Array<ArrayBuffer>]>([
    ['plain bytes', new Uint8Array(MAX_PARCEL)],
    ['characters', randomBytes(MAX_FRAGMENT)],
  ])('a link of too many %s is not made', (_, payload) => {
    const { data } = EXAMPLE as { data: object };
    expect(encodeFragment({ ...EXAMPLE, data: { ...data, payload } } as Shared)).toBeNull();
  });

  test('a link beyond the maximum length is not decoded', async () => {
    expect(await faultOf(`w${VERSION}-`.padEnd(MAX_FRAGMENT + 1, '7'))).toBe('too-large');
  });

  test('100,000 random fragments each give an answer at once', async () => {
    const character = fc.constantFrom(...'w1234567890-_abcXYZ/');
    const random = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: character, maxLength: 60 }).map((text) => `w${VERSION}-${text.length}-0000000-${text}`),
      fc.uint8Array({ maxLength: 40 }).map((parcel) => wrap(parcel)),
    );
    await fc.assert(
      fc.asyncProperty(random, async (fragment) => (await decodeFragment(fragment)).ok === false),
      { numRuns: 100_000 },
    );
  });
});
