/** Layers in words: each has them, and the rows sum to the file. */
import { expect, test } from 'vitest';
import { emptyLayers, LAYERS, sumLayers } from '#engine/capture/containers/packets-layers.ts';
import { bytesOfKind, LAYER_WORDS, layerRows } from './layer-words.ts';

test('every layer has its own words', () => {
  expect(new Set(LAYERS.map((layer) => LAYER_WORDS[layer].label)).size).toBe(LAYERS.length);
});

test('rows follow one another from the first byte to the last, and their kinds sum to all', () => {
  const layers = emptyLayers();
  LAYERS.forEach((layer, index) => {
    layers[layer] = index % 3 === 0 ? 0 : 10 * index;
  });
  const rows = layerRows(layers);
  let at = 0;
  for (const { before, bytes } of rows) {
    expect(before).toBe(at);
    expect(bytes).toBeGreaterThan(0);
    at += bytes;
  }
  expect(at).toBe(sumLayers(layers));
  const kinds = (['around', 'payload', 'lost'] as const).map((kind) => bytesOfKind(rows, kind));
  expect(kinds.reduce((sum, bytes) => sum + bytes, 0)).toBe(at);
});
