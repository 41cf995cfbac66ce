/** The actions of `measurements.ts`, which is loaded with the first of them. */
import { loadPart, MISSING_PART, MissingPart } from './load-part.ts';
import type { Asking, Measurements } from './measurements.ts';
import { settersOf } from './setters.ts';

export function measureActions(asking: Asking): Measurements {
  let loaded: Measurements | null = null;
  const first =
    <M extends keyof Measurements>(name: M, none: Awaited<ReturnType<Measurements[M]>>) =>
    async (...given: Parameters<Measurements[M]>): Promise<Awaited<ReturnType<Measurements[M]>>> => {
      try {
        loaded ??= (await loadPart(() => import('./measurements.ts'))).measurements(asking);
      } catch (error) {
        if (!(error instanceof MissingPart)) throw error;
        settersOf(asking.store).setSession({ failure: MISSING_PART });
        return none;
      }
      const action = loaded[name] as (...given: Parameters<Measurements[M]>) => ReturnType<Measurements[M]>;
      return await action(...given);
    };
  return {
    compress: first('compress', null),
    measureMatrix: first('measureMatrix', false),
    measureBits: first('measureBits', false),
    findCopies: first('findCopies', null),
    measureSaved: first('measureSaved', false),
  };
}
