import { expect, test } from 'vitest';
import { initialView } from '../view-state.ts';
import { newLocalPlace, readPlace, samplePlace, withView } from './local-place.ts';

const FIRST = initialView();

test('an address with a view is read back as it was written', () => {
  const view = {
    ...FIRST,
    panel: 'messages' as const,
    type: 'a.b/C?&=ü',
    selection: { path: 'x.y[z]', ordinal: 3, row: null },
    scope: { ...FIRST.scope, text: '{"&?' },
  };
  for (const place of [samplePlace('a sample/x'), newLocalPlace()]) {
    expect(readPlace(withView(place, view))).toMatchObject({ place, view });
    expect(withView(place, FIRST)).toBe(place);
    expect(readPlace(place).view).toBeNull();
  }
});

test.each([
  ['of an extension', { root: '[x.more].[y]' }],
  ['like an object', { type: '{', compressor: '[' }],
])('a text %s is not taken for JSON', (_, said) => {
  const view = { ...FIRST, ...said, selection: { path: '[x.more]', ordinal: 0, row: null } };
  expect(readPlace(withView('#/local/x', view)).view).toEqual(view);
});

test('a part that cannot be read leaves the others as they are', () => {
  const { view } = readPlace('#/local/x?scope={&more=1&__proto__={}&panel=matrix&changes=[');
  expect(view).toEqual({ ...FIRST, panel: 'matrix' });
});

test('an address that a person wrote says only some of the view; one of the app is whole', () => {
  expect(readPlace('#/sample/x?panel=matrix&type=a.B')).toMatchObject({ said: ['type', 'panel'] });
  expect(readPlace('#/sample/x?selection={"path":"a","ordinal":0,"row":null}')).toMatchObject({ said: ['selection'] });
  expect(readPlace(withView('#/sample/x', { ...FIRST, panel: 'matrix' })).said).toBeNull();
});

test('a link is its own address', () => {
  expect(withView('#w2-1-abc-x', FIRST)).toBe('#w2-1-abc-x');
  expect(readPlace('#/w2-1-abc-x')).toEqual({
    place: '#w2-1-abc-x',
    sample: null,
    local: null,
    view: null,
    said: null,
  });
});

test.each(['', '#', '#/', '#/local/', '#/sample/%', '#/sample/x?', '#/local/x?scope={', '#/local/x?__proto__={}'])(
  '%j is read without a fault',
  (fragment) => {
    expect(() => readPlace(fragment)).not.toThrow();
  },
);
