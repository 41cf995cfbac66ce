/** The page's choices of types → the engine's request. */

import type { ReadingRequest } from '#engine/analysis/message-reading.ts';
import { type GroupTypes, typeNamed } from '#engine/analysis/plan/group-readings.ts';
import { evidenceOf, opened, type Session, sessionLibrary } from './session-state.ts';

/** A type that no schema has any more is guessed again. */
export function readingRequest(
  session: Session,
  { type, types }: { readonly type: string | null; readonly types: GroupTypes },
): ReadingRequest {
  const library = sessionLibrary(session);
  const known = type === null ? undefined : typeNamed(library, type);
  return { library, type: known ?? null, types, evidence: evidenceOf(session), guesses: opened(session).guesses };
}
