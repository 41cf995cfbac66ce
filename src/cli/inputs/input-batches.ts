/**
 * Inputs, of which a limited number is in memory: each iteration gives them in batches, in their order. A single batch
 * is read once and stays open; several are opened and read again by each iteration.
 */
import type { Source } from '#engine/bytes/source.ts';
import { openSources, withSources } from './file-source.ts';

type Sources = () => AsyncIterable<readonly Source[]>;

/** The inputs can be read while `use` runs. @throws Refusal if one cannot be read */
export async function withBatches<T>(
  paths: readonly string[],
  atOnce: number,
  use: (sources: Batches<Source>) => Promise<T>,
): Promise<T> {
  const asGiven = async (source: Source): Promise<Source> => source;
  if (paths.length > atOnce) return use(new Batches(() => openInTurn(paths, atOnce), asGiven, false));
  return withSources(paths, (sources) => {
    const single: Sources = async function* () {
      yield sources;
    };
    return use(new Batches(single, asGiven, true));
  });
}

async function* openInTurn(paths: readonly string[], atOnce: number): AsyncGenerator<readonly Source[]> {
  for (let at = 0; at < paths.length; at += atOnce) {
    const { sources, close } = await openSources(paths.slice(at, at + atOnce));
    try {
      yield sources;
    } finally {
      await close();
    }
  }
}

export class Batches<T> implements AsyncIterable<readonly T[]> {
  readonly #sources: Sources;
  readonly #read: (source: Source) => Promise<T>;
  readonly #isSingle: boolean;

  /** @param isSingle there is one batch, which is read once */
  constructor(sources: Sources, read: (source: Source) => Promise<T>, isSingle: boolean) {
    this.#sources = sources;
    this.#read = isSingle ? readOnce(read) : read;
    this.#isSingle = isSingle;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    for await (const batch of this.#sources()) {
      const found: T[] = [];
      for (const source of batch) found.push(await this.#read(source));
      yield found;
    }
  }

  /** One by one. */
  async *each(): AsyncGenerator<T> {
    for await (const batch of this.#sources()) for (const source of batch) yield await this.#read(source);
  }

  map<U>(next: (one: T) => Promise<U>): Batches<U> {
    return new Batches(this.#sources, async (source) => next(await this.#read(source)), this.#isSingle);
  }
}

function readOnce<T>(read: (source: Source) => Promise<T>): (source: Source) => Promise<T> {
  const known = new Map<Source, Promise<T>>();
  return (source) => {
    const reading = known.get(source) ?? read(source);
    known.set(source, reading);
    return reading;
  };
}
