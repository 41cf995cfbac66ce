/** Links and files of the shown analysis: made, and opened again. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { writeConversation } from '#engine/capture/containers/packets-writer.testing.ts';
import { memberNames } from '#engine/cost/member-names.ts';
import { printAnalysisFile } from '#permalink/file.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import type { ShareKind } from '#wording/share-words.ts';
import { isShape } from '../is-shape.ts';
import { pairBitsOf } from '../measured/shown-pair-bits.ts';
import { actions, allowed, BYTES, openPage, SCHEMA, session, settled, store, unhex, view } from '../page.testing.ts';
import { sample } from '../sample.testing.ts';
import { capturedSize, shownProfile, shownTouched, shownType } from '../shown-profile.ts';
import { shareKinds } from './share.ts';

beforeEach(openPage);

describe('shared', () => {
  const request = {
    name: 'a name',
    address: 'https://example.org/x.bin',
    excerpt: null,
    today: Date.UTC(2026, 10, 21),
  };

  async function linkAs(kind: ShareKind): Promise<string> {
    const sharing = await actions.share({ kind, ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    return encodeFragment(sharing.shared)!;
  }

  beforeEach(() => actions.openSample(sample));

  test('not if it could not be opened again, with the reason', async () => {
    const sharing = await actions.share({ ...request, kind: 'profile', name: 'x'.repeat(5000) });
    expect(sharing).toMatchObject({ ok: false, reason: expect.stringContaining('source.name') });
  });

  test.each(['sample', 'profile', 'shape', 'inline'] as const)(
    'a link as %s opens with the same view and figures',
    async (kind) => {
      actions.selectPath('size');
      actions.selectCause('tags');
      actions.setTable({ sort: { column: 'delta', descending: true }, filter: '', flat: true, expanded: [] });
      const shown = view();
      const { analysis } = session();
      const link = await linkAs(kind);
      actions.closeInput();
      actions.chooseNativeProfile('opensearch');
      await actions.openFragment(`#${link}`);
      // Figures alone belong to no particular message.
      const figures = { ...shown, shown: null, selection: { path: 'size', ordinal: 0, row: null } };
      const isOfNone = kind === 'profile' || kind === 'shape';
      expect(view()).toMatchObject(isOfNone ? { ...figures, shown: view().shown, selection: { path: 'size' } } : shown);
      expect(session().analysis?.profiles).toEqual(analysis?.profiles);
      expect(session()).toMatchObject({ failure: null, job: null });
      expect(session().inspection === null).toBe(kind === 'profile');
    },
  );

  test.each(['profile', 'shape', 'inline'] as const)(
    'a link of A and B as %s has the sizes of both as they were captured',
    async (kind) => {
      const compressed = (times: number) =>
        new File(
          [
            gzipSync(
              Uint8Array.from(
                Array(times)
                  .fill([...unhex(BYTES)])
                  .flat(),
              ),
            ),
          ],
          `${times}.bin.gz`,
        );
      await actions.openFiles([new File([SCHEMA], 't.proto')]);
      await actions.openFiles([compressed(90)]);
      actions.keepBaseline();
      await actions.openFiles([compressed(40)]);
      const sizes = () => [session().baseline?.captured, capturedSize(store.getState())];
      const shown = sizes();
      expect(shown).toEqual([compressed(90).size, compressed(40).size]);
      const link = await linkAs(kind);
      actions.closeInput();
      await actions.openFragment(`#${link}`);
      expect(sizes()).toEqual(shown);
    },
  );

  test('figures and shapes carry no text of filters, changes or rows of other figures', async () => {
    actions.setTable({ sort: null, filter: 'secret', flat: false, expanded: ['size', 'secret'] });
    actions.tryChanges([{ change: 'edited text', file: 't.proto', diff: ['+// secret'] }]);
    const { table, changes } = view();
    for (const kind of ['profile', 'shape'] as const) {
      const sharing = await actions.share({ kind, ...request });
      expect(sharing).toMatchObject({
        ok: true,
        shared: { view: { table: { ...table, expanded: ['size'], filter: '' } } },
      });
      expect(JSON.stringify(sharing)).not.toContain('secret');
    }
    expect(await actions.share({ kind: 'inline', ...request })).toMatchObject({ shared: { view: { table, changes } } });
  });

  test('the schema of a shape has no comments', async () => {
    await actions.openFiles([new File([unhex(BYTES)], 'b.bin'), new File([`${SCHEMA}// secret\n`], 't.proto')]);
    await settled();
    for (const [kind, ending] of [
      ['shape', ''],
      ['inline', '// secret\n'],
    ] as const) {
      const sharing = await actions.share({ kind, ...request });
      if (!sharing.ok || !('schema' in sharing.shared.data)) throw new Error('There is no schema.');
      expect(sharing.shared.data.schema.map(({ content }) => content)).toEqual([SCHEMA + ending]);
    }
  });

  test('the part of the schema that the messages need is shared', async () => {
    await actions.addSchemaText('syntax = "proto3"; package elsewhere; message NotInIt { string secret = 1; }');
    expect(session().schemaFiles).toHaveLength(2);
    for (const kind of ['shape', 'inline', 'address'] as const) {
      const sharing = await actions.share({ kind, ...request });
      if (!sharing.ok || !('schema' in sharing.shared.data)) throw new Error('There is no schema.');
      expect(sharing.shared.data.schema.map(({ path }) => path)).toEqual(['t.proto']);
    }
  });

  test('a link names the sample only while it is unchanged', async () => {
    expect(shareKinds(store.getState())).toEqual(['sample', 'profile', 'shape', 'inline', 'address']);
    actions.addSchemaFile();
    await settled();
    expect(shareKinds(store.getState())).toEqual(['profile', 'shape', 'inline', 'address']);
  });

  test('members of JSON that no type has are the names that messages give figures, and are listed', async () => {
    expect(memberNames(shownProfile(store.getState())!)).toEqual([]);
    actions.closeInput();
    await actions.openText('{"users":{"alice@secret.example":{"size":7}},"size":1}');
    expect(memberNames(shownProfile(store.getState())!)).toEqual(['users', '"alice@secret.example"', 'size']);
  });

  test('figures from a link can be shared on, with their original date', async () => {
    await actions.openFragment(await linkAs('profile'));
    expect(shareKinds(store.getState())).toEqual(['profile']);
    const again = await actions.share({ kind: 'profile', ...request, today: Date.UTC(2030, 0, 1) });
    expect(again).toMatchObject({
      ok: true,
      shared: { made: { date: '2026-11-21' }, source: { messages: 2, size: 15 } },
    });
  });

  test.each([
    ['action lines', 'films.ndjson', '{"index":{}}\n{"title":"Metropolis"}\n', 'profile', ['bulk', 14, 0]],
    ['a cut message', 'items.bin', unhex(`${BYTES} 09 0a`), 'profile', ['varint', 2, 2]],
    ['a cut message, as a shape', 'items.bin', unhex(`${BYTES} 09 0a`), 'shape', ['varint', 2, 2]],
  ] as const)(
    'the bytes of a file beside its messages are in its link, and in the next: %s',
    async (_, name, of, kind, beside) => {
      await actions.openFiles([new File([SCHEMA], 't.proto'), new File([of], name)]);
      await settled();
      const [framing, framingBytes, unattributedBytes] = beside;
      const expected = { framing, framingBytes, unattributedBytes };
      for (const opening of ['the first', 'its copy']) {
        await actions.openFragment(`#${await linkAs(kind)}`);
        expect(session().sharedFrom?.source.notes, opening).toEqual({ beside: expected });
      }
    },
  );

  const HALF = 'syntax = "proto3"; package t; message Item { string name = 1; int64 size = 2; Missing gone = 3; }';

  test.each([
    ['profile', { isTouched: true }],
    // Its own schema has the error.
    ['shape', undefined],
  ] as const)('an error of the schema is noted beside the figures of a link as %s', async (kind, notes) => {
    await actions.openFiles([new File([HALF], 't.proto'), new File([unhex(BYTES)], 'items.bin')]);
    await settled();
    actions.chooseType('t.Item');
    await settled();
    await actions.openFragment(`#${await linkAs(kind)}`);
    expect(session().sharedFrom?.source.notes).toEqual(notes);
    expect(shownTouched(store.getState()) !== undefined).toBe(kind === 'shape');
  });

  test('figures of files of different types name the types', async () => {
    // Two payloads are A and B.
    const files = Object.entries({
      'apm.binpb': 'apm-modelpb.fds.binpb',
      'prometheus.binpb': 'prometheus-rw1.fds.binpb',
      'error.bin': 'apm-heavy-error-0.binpb',
      'one.bin': 'codecfixture.rw1.binpb',
      'two.bin': 'codecfixture.rw1.binpb',
    }).map(([name, of]) => new File([readFileSync(`fixtures/input/${of}`)], name));
    await actions.openFiles(files);
    await settled();
    expect(session().plan?.unlike?.types).toHaveLength(2);
    await actions.openFragment(`#${await linkAs('profile')}`);
    expect(session().sharedFrom?.source.notes).toEqual({
      mixed: ['elastic.apm.v1.APMEvent', 'prometheus.WriteRequest'],
    });
  });

  test('a link to some of the messages of a file leaves out the bytes beside them', async () => {
    await actions.openFiles([new File([SCHEMA], 't.proto'), new File([unhex(`${BYTES} 09 0a`)], 'items.bin')]);
    await settled();
    await actions.chooseMessages([[0, 1]]);
    await actions.openFragment(`#${await linkAs('profile')}`);
    expect(session().sharedFrom?.source).not.toHaveProperty('notes');
  });

  test('nothing is fetched from an address before the user agrees', async () => {
    await actions.openFragment(await linkAs('address'));
    expect(session()).toMatchObject({ consent: { origin: 'https://example.org' }, input: null, job: null });
    await actions.answerConsent(session().consent!, false);
    expect(session()).toMatchObject({ consent: null, input: null, job: null });
    expect(allowed.size).toBe(0);
  });

  test('once allowed, an address is fetched without asking again', async () => {
    const { analysis } = session();
    const link = await linkAs('address');
    await actions.openFragment(link);
    await actions.answerConsent(session().consent!, true);
    expect(session()).toMatchObject({ analysis, input: { origin: { kind: 'address', address: request.address } } });
    const other = await linkAs('address');
    actions.closeInput();
    await actions.openFragment(other);
    expect(session()).toMatchObject({ analysis, consent: null });
  });

  test.each([
    ['has its type detected if it was unread when the link was made', 0, true],
    ['stays without a type as the sender saw it', 5, false],
  ])('a payload at an address %s', async (_, messages, isTyped) => {
    const { type } = view();
    const sharing = await actions.share({ kind: 'address', ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    const { shared } = sharing;
    const unread = { ...shared, source: { ...shared.source, messages }, view: plainView(null, null) };
    actions.closeInput();
    await actions.openFragment(encodeFragment(unread)!);
    await actions.answerConsent(session().consent!, true);
    expect([type, shownType(store.getState())]).toEqual([expect.any(String), isTyped ? type : null]);
  });

  test.each([
    ['as many messages as the sender', 2, [[1, 2]], 1],
    ['another number of messages', 3, [], 0],
  ])('an address with %s', async (_, messages, ordinals, ordinal) => {
    const sharing = await actions.share({ kind: 'address', ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    const { shared } = sharing;
    const selection = { path: 'name', ordinal: 1, row: null };
    const scope = { ...shared.view.scope, ordinals: [[1, 2]] as [number, number][] };
    const chosen = { ...shared, source: { ...shared.source, messages }, view: { ...shared.view, scope, selection } };
    actions.closeInput();
    await actions.openFragment(encodeFragment(chosen)!);
    await actions.answerConsent(session().consent!, true);
    expect(view()).toMatchObject({ scope: { ordinals }, selection: { path: 'name', ordinal } });
    expect(session().inspection).toMatchObject({ ordinal });
    expect(session().sharedFrom?.awaited === undefined).toBe(messages === 2);
  });

  test('the messages that the sender of a capture with TLS chose are shown once its keys are given', async () => {
    const tls = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url));
    const keys = tls('node-tls13-chacha20.keys').toString();
    actions.closeInput();
    await actions.openFiles([new File([tls('node-tls13-chacha20.pcap')], 'a.pcap')]);
    await actions.openText(keys);
    actions.selectMessage(3);
    await vi.waitFor(() => expect(session().inspection?.ordinal).toBe(3));
    const link = await linkAs('inline');
    const { selection } = view();
    await actions.forgetKeys();
    actions.closeInput();
    await actions.openFragment(link);
    expect(session()).toMatchObject({ inputSummary: { messages: 0 }, sharedFrom: { awaited: { selection } } });
    await actions.openText(keys);
    expect(view().selection).toEqual(selection);
    expect(session().inspection?.ordinal).toBe(3);
    expect(session().sharedFrom?.awaited).toBeUndefined();
  });

  test('a link of a capture has the framing that the sender described for its connections', async () => {
    const framing = 'be16 [1 message]';
    const capture = writeConversation(
      [0, 1].map((side) => ({
        side: side as 0 | 1,
        bytes: Uint8Array.from([0, 5, 9, 8, 1, 16, 2, 0, 3, 9, 8, 3]),
      })),
    );
    actions.closeInput();
    await actions.openFiles([new File([capture.slice()], 'a.pcap')]);
    await actions.overruleReading({ framing });
    expect(session().inputSummary).toMatchObject({ kind: 'capture', messages: 4 });
    const link = await linkAs('inline');
    actions.closeInput();
    await actions.openFragment(link);
    expect(session()).toMatchObject({ input: { framing }, inputSummary: { kind: 'capture', messages: 4 } });
  });

  test.each([
    ['framing', 'nonsense', 'frame/unknown-framing'],
    ['framing', 'u8 mesage message', 'frame/unknown-framing'],
    ['textEncoding', 'nonsense', 'frame/unknown-text-encoding'],
  ])('a link with a %s that is not known here is read as detected, with a finding: %s', async (key, id, code) => {
    const linkWith = async (): Promise<string> => {
      const sharing = await actions.share({ kind: 'inline', ...request });
      if (!sharing.ok) throw new Error(sharing.reason);
      const { shared } = sharing;
      return encodeFragment({ ...shared, data: { ...shared.data, [key]: id } as typeof shared.data })!;
    };
    const found = { diagnostics: [expect.objectContaining({ code })] };
    const { messages } = session().inputSummary!;
    await actions.openFragment(await linkWith());
    expect(session()).toMatchObject({ failure: null, inputSummary: { kind: 'payloads', messages, ...found } });
    if (key === 'textEncoding') return;
    await actions.openFiles([
      new File([readFileSync(new URL('../../../fixtures/capture/vitess-gzip.pcapng', import.meta.url))], 'b.pcapng'),
    ]);
    const capture = session().inputSummary!;
    await actions.openFragment(await linkWith());
    expect(session()).toMatchObject({ failure: null, inputSummary: { kind: 'capture', messages: capture.messages } });
    expect(session().inputSummary!.diagnostics).toContainEqual(found.diagnostics[0]);
  });

  test('an address that the policy forbids is refused before any request, with the next step', async () => {
    const sharing = await actions.share({ kind: 'address', ...request, address: 'https://closed.example/x' });
    if (!sharing.ok) throw new Error(sharing.reason);
    await actions.openFragment(encodeFragment(sharing.shared)!);
    expect(session().consent).toBeNull();
    expect(session().failure).toMatchObject({
      detail: expect.stringContaining('from https://closed.example'),
      remedy: expect.stringContaining('WIRECOST_SOURCES="https://closed.example"'),
    });
  });

  test('an address that does not answer', async () => {
    const sharing = await actions.share({ kind: 'address', ...request, address: 'https://example.org/gone' });
    if (!sharing.ok) throw new Error(sharing.reason);
    await actions.openFragment(encodeFragment(sharing.shared)!);
    await actions.answerConsent(session().consent!, true);
    expect(session().failure?.detail).toBe('https://example.org/gone could not be fetched: it answers 404');
  });

  test('a link that cannot be opened shows the reason, and the open input stays open', async () => {
    const link = await linkAs('inline');
    await actions.openFragment(link.slice(0, -10));
    expect(session().failure).toMatchObject({
      title: 'This link does not open',
      detail: expect.stringContaining('10 are missing'),
    });
    expect(session().analysis).not.toBeNull();
  });

  test('neither the same fragment nor an address of the app opens anything', async () => {
    const link = await linkAs('profile');
    await actions.openFragment(link);
    const { analysis } = session();
    await actions.openFragment(link);
    await actions.openFragment('#/type/t.Item');
    expect(session().analysis).toBe(analysis);
  });

  test('filler is not measured, neither as B nor as A, and stays filler when both change places', async () => {
    await actions.openFragment(await linkAs('shape'));
    const known = () => pairBitsOf(store.getState(), 'zstd');
    actions.keepBaseline();
    expect(known()).toEqual({ a: null, b: null });
    await actions.openText(BYTES);
    expect(known()).toEqual({ a: null, b: undefined });
    await actions.swapPair();
    expect(known()).toEqual({ a: undefined, b: null });
    expect(isShape(store.getState())).toBe(true);
    await actions.swapPair();
    expect(isShape(store.getState())).toBe(false);
  });

  test('B is read with the schema that A’s link brought, if no other fits', async () => {
    const link = await linkAs('shape');
    actions.closeInput();
    await settled();
    expect(session().schemaFiles).toEqual([]);
    await actions.openFragment(link);
    actions.keepBaseline();
    await actions.openFiles([new File([unhex(BYTES)], 'b.bin')]);
    await settled();
    expect(shownType(store.getState())).toBe('t.Item');
    expect(session().baseline?.profile.type).toBe('t.Item');
    // It is not the person's own: the next input is read without it.
    actions.closeInput();
    await settled();
    expect(session().schemaFiles).toEqual([]);
  });

  test('a pasted link and a pasted file open', async () => {
    const sharing = await actions.share({ kind: 'profile', ...request });
    if (!sharing.ok) throw new Error(sharing.reason);
    for (const text of [
      `https://example.org/wirecost/#${encodeFragment(sharing.shared)}`,
      printAnalysisFile(sharing.shared),
    ]) {
      actions.closeInput();
      await actions.openText(text);
      expect(session().sharedFrom).toMatchObject({ kind: 'profile', source: { name: 'a name' } });
    }
  });
});

test.each([
  { what: 'JSON', json: '{"name":"corner shop","size":"12"}' },
  { what: 'JSON against a native encoding', json: '{"name":"corner shop","size":"12"}', native: 'avro' },
])('no shape of $what is offered: filler is made of protobuf messages alone', async ({ json, native }) => {
  await actions.openFiles([new File([json], 'a.json'), new File([SCHEMA], 't.proto')]);
  if (native !== undefined) {
    actions.chooseNativeProfile(native);
    await settled();
  }
  expect(shareKinds(store.getState())).toEqual(['profile', 'inline', 'address']);
});
