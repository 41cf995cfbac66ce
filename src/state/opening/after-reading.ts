/** Calls about the open input wait until the worker has read it, because it has no messages before. */
import { NO_INPUT_OPEN } from '#wording/failure-words.ts';
import type { CompareApi } from '#worker/compare-api.ts';
import type { CallOptions, Client } from '#worker/connect.ts';
import type { ExploreApi } from '#worker/explore-api.ts';
import type { LanguageApi } from '#worker/language-api.ts';
import type { Api, CallResult } from '#worker/protocol.ts';
import type { SchemaApi } from '#worker/schema-api.ts';

/** Calls that the worker answers without the messages of the open input; a schema is shared without an input, too. */
type Other =
  | keyof (SchemaApi & ExploreApi & LanguageApi)
  | Exclude<keyof CompareApi, 'versionSizes'>
  | 'keepSide'
  | 'openInput'
  | 'lookInside'
  | 'neededFiles';

/** All other calls: one that is left out does not compile. */
const OF_MESSAGES: Readonly<Record<Exclude<keyof Api, Other>, true>> = {
  reflectedSchema: true,
  messages: true,
  rowOf: true,
  rangesOf: true,
  groupReadings: true,
  timeline: true,
  planReading: true,
  analyze: true,
  inspect: true,
  firstWith: true,
  firstLoss: true,
  matrix: true,
  bits: true,
  copiedFrom: true,
  saved: true,
  shape: true,
  advise: true,
  applyChanges: true,
  editableFiles: true,
  appliedMessage: true,
  belowLimit: true,
  versionSizes: true,
};

const CANCELLED = { ok: false, cancelled: true, message: NO_INPUT_OPEN, isMissing: false } as const;

/** If no input is open, such a call ends like a cancelled one: there is nothing to show, and nothing failed. */
export function afterReading(client: Client): Client {
  let reading: Promise<boolean> = Promise.resolve(false);

  /** An input that grows can be asked about before its end. */
  async function openInput(
    params: Parameters<Api['openInput']>[0],
    options: CallOptions<ReturnType<Api['openInput']>> = {},
  ): Promise<CallResult<ReturnType<Api['openInput']>>> {
    let end: (isOpen: boolean) => void = () => {};
    reading = new Promise((resolve) => {
      end = resolve;
    });
    const outcome = await client.call('openInput', params, {
      ...options,
      onSoFar: (summary) => {
        end(true);
        options.onSoFar?.(summary);
      },
    });
    end(outcome.ok);
    return outcome;
  }

  return {
    ...client,
    async call<M extends keyof Api>(
      method: M,
      params: Parameters<Api[M]>[0],
      options: CallOptions<ReturnType<Api[M]>> = {},
    ): Promise<CallResult<ReturnType<Api[M]>>> {
      if (method === 'openInput') return openInput(params as never, options as never) as never;
      if (Object.hasOwn(OF_MESSAGES, method)) {
        // Another input may be opened during the wait.
        for (let waited: Promise<boolean> | null = null; waited !== reading; ) {
          waited = reading;
          if (!(await waited) && waited === reading) return CANCELLED;
        }
      }
      return client.call(method, params, options);
    },
  };
}
