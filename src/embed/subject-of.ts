/** The data of a link → the input of figures; null: the link carries messages, which only the app can read. */
import { emptyLayers } from '#engine/capture/containers/packets-layers.ts';
import type { FigureSubject } from '#figures/subject.ts';
import type { Shared } from '#permalink/shared.ts';

export const embedSubject = ({ source, made, view, data }: Shared): FigureSubject | null =>
  data.kind === 'profile'
    ? {
        profile: data.profile,
        from: {
          name: source.name,
          date: made.date,
          version: made.by,
          coverage: source.coverage,
        },
        path: view.selection.path,
        layers: data.layers ? { ...emptyLayers(), ...data.layers } : null,
        compressed: data.compressed,
        matrix: data.matrix,
        bits: data.bits ?? null,
        pair: null,
        excerpt: data.excerpt,
      }
    : null;
