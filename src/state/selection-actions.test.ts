/** Rows, fields and messages, selected. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { rowOf } from '#engine/inspect/row-address.ts';
import { actions, openPage, session, settled, store, view } from './page.testing.ts';
import { sample } from './sample.testing.ts';

beforeEach(openPage);

describe('selecting', () => {
  beforeEach(() => actions.openSample(sample));

  test('a row of either encoding selects its field', () => {
    const { native } = session().inspection!;
    const row = rowOf(native!, { path: 'size', occurrence: 0 });
    actions.selectRow('native', row);
    expect(view().selection).toMatchObject({ path: 'size', row: { encoding: 'native', path: 'size', occurrence: 0 } });
  });

  test('a field without protobuf bytes is highlighted on the native side', async () => {
    actions.selectPath('size');
    actions.selectMessage(1);
    await settled();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(view().selection).toMatchObject({ ordinal: 1, path: 'size', row: { encoding: 'native', path: 'size' } });
  });

  test('a finding’s span selects the innermost row that holds it', async () => {
    await actions.selectSpan(1, 3);
    expect(view().selection).toMatchObject({ ordinal: 1, path: 'name' });
  });

  test.each([
    ['beside the findings where there is room', 1280, 'findings'],
    ['in their place where one panel is shown at a time', 390, 'bytes'],
  ])('the bytes of a finding are shown %s', async (_, innerWidth, panel) => {
    vi.stubGlobal('document', { documentElement: null });
    vi.stubGlobal('innerWidth', innerWidth);
    vi.stubGlobal('getComputedStyle', () => ({ fontSize: '16px' }));
    onTestFinished(() => void vi.unstubAllGlobals());
    actions.showPanel('findings');
    await actions.selectSpan(1, 3);
    expect([view().panel, view().selection.path]).toEqual([panel, 'name']);
  });

  test('a message that is selected while another is read stays selected', async () => {
    const selected: number[] = [];
    const isAddedUp = new Promise<void>((resolve) => {
      const end = store.subscribe((state, before) => {
        if (state.session.analysis === before.session.analysis) return;
        end();
        resolve();
      });
    });
    actions.chooseNativeProfile('opensearch');
    await isAddedUp;
    // The run asks for the message that was selected before.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    actions.selectMessage(1);
    store.subscribe(({ view: { selection } }) => void selected.push(selection.ordinal));
    await vi.waitFor(() => expect(session().inspection?.ordinal).toBe(1));
    await settled();
    expect([...new Set(selected)]).toEqual([1]);
  });

  test('a finding’s span selects nothing in a message that is selected meanwhile', async () => {
    // Fields 1, 2 and 3 in a message each.
    await actions.openText('04 0a 02 68 69 06 12 04 61 62 63 64 03 18 96 01');
    actions.selectPath('?2');
    const span = actions.selectSpan(1, 3);
    actions.selectMessage(2);
    await span;
    await vi.waitFor(() => expect(session().inspection?.ordinal).toBe(2));
    expect(view().selection).toEqual({ ordinal: 2, path: '?2', row: null });
  });

  test('Escape closes the innermost selection first', () => {
    actions.selectPath('name');
    actions.selectCause('tags');
    actions.showPanel('schema');
    const left: unknown[] = [];
    while (actions.goBack()) left.push([view().selection.path, view().cause, view().panel]);
    expect(left).toEqual([
      [null, 'tags', 'schema'],
      [null, null, 'schema'],
      [null, null, 'costs'],
    ]);
  });

  test('hovering previews and selects nothing', () => {
    const before = view().selection;
    actions.hoverPath('size');
    expect(session().hover.path).toBe('size');
    actions.hoverRow('protobuf', 1);
    expect(session().hover).toMatchObject({ path: 'name', row: { encoding: 'protobuf', occurrence: 0 } });
    actions.hoverRow('protobuf', null);
    expect(session().hover).toEqual({ path: null, row: null });
    expect(view().selection).toBe(before);
  });
});

test('a field, and a finding, of a message in parts open the part that holds them', async () => {
  // Field 1, a field 2 that fits no part, field 3.
  const large = 13 << 20;
  const bytes = new Uint8Array(2 + 5 + large + 2);
  bytes.set([0x08, 0x01, 0x12, 0x80, 0x80, 0xc0, 0x06]);
  bytes.set([0x18, 0x01], 7 + large);
  await actions.openFiles([new File([bytes], 'large.bin')]);
  await settled();
  const part = () => session().inspection?.part?.index;
  expect([view().selection.path, part()]).toEqual(['?2', 1]);
  actions.selectPath('?1');
  await vi.waitFor(() => expect(part()).toBe(0));
  expect(view().selection).toMatchObject({ path: '?1', row: { path: '?1' } });
  await actions.selectSpan(0, 7 + large);
  expect([view().selection.path, part()]).toEqual(['?3', 2]);
  await actions.selectSpan(0, 1000);
  expect([view().selection.path, part()]).toEqual(['?2', 1]);
});
