/** The actions of `measurements.ts`, which is loaded with the first of them. */
import { loadPart, MissingPart } from '../load-part.ts';
import type { Asking, Measurements } from './measurements.ts';

export function measureActions(asking: Asking): Measurements {
  let loaded: Measurements | null = null;
  const first = (name: keyof Measurements) =>
    (async (...given: never) => {
      try {
        loaded ??= (await loadPart(() => import('./measurements.ts'))).measurements(asking);
      } catch (error) {
        if (!(error instanceof MissingPart)) throw error;
        asking.fail(name, { message: error.message, isMissing: true });
        return null;
      }
      return await (loaded[name] as (...given: never) => unknown)(...given);
    }) as never;
  return {
    compress: first('compress'),
    measureMatrix: first('measureMatrix'),
    measureBits: first('measureBits'),
    measurePair: first('measurePair'),
    findCopies: first('findCopies'),
    measureSaved: first('measureSaved'),
  };
}
