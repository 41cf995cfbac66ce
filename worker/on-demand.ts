/** Calls whose code is in a separate file, which is loaded with the first call. */
import { needed } from '#engine/model/needed-file.ts';
import type { Context, HandlersOf } from './protocol.ts';

type AnyHandlers = Readonly<Record<string, (params: unknown, context: Context) => unknown>>;

/** @param calls every call of the interface: one that is left out does not compile */
export function onDemand<A>(calls: Readonly<Record<keyof A, true>>, load: () => Promise<HandlersOf<A>>): HandlersOf<A> {
  let loading: Promise<AnyHandlers> | null = null;
  const loaded = (): Promise<AnyHandlers> => {
    loading ??= needed(load).then(
      (handlers) => handlers as unknown as AnyHandlers,
      (missing) => {
        // The next call tries again.
        loading = null;
        throw missing;
      },
    );
    return loading;
  };
  const handlers = Object.keys(calls).map((call) => [
    call,
    async (params: unknown, context: Context) => (await loaded())[call]!(params, context),
  ]);
  return Object.fromEntries(handlers) as HandlersOf<A>;
}
