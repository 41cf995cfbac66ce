/** The types that messages of the open input are compared with: those that are loaded, then those that ship with the app. */
import type { TypeSource } from '#engine/analysis/evidence/classify-type.ts';
import { bundledSource } from '#engine/analysis/plan/plan-reading.ts';
import type { Session } from './session-state.ts';

export const sessionTypeSources = (session: Session): readonly TypeSource[] => [
  loadedSource(session),
  bundledSource(session.bundled.registry),
];

export const loadedSource = ({ schema }: Session): TypeSource => ({
  registry: schema.registry,
  isOffered: ({ file }) => !schema.shelved.has(file),
  faults: schema.faults,
});
