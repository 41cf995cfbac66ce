/** Messages that name no type which the schemas know, by method and direction → the types that may explain each group. */

import { TypeRanking } from '#engine/analysis/rank-types.ts';
import type { MessageSink } from '#engine/frame/message.ts';
import { printRanking, type Schema } from './schema.ts';
import { plural } from './text-table.ts';

const MOST_GROUPS = 20;
/** Bytes of a message that types are compared on. */
const COMPARED = 1 << 20;

export class UntypedGroups {
  readonly #schema: Schema;
  readonly #groups = new Map<string, TypeRanking>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  readonly add: MessageSink = ({ method, direction, transport }, payload) => {
    const name = method === null ? transport : `${method}${direction === null ? '' : `, ${direction}s`}`;
    let ranking = this.#groups.get(name);
    if (ranking === undefined) {
      if (this.#groups.size === MOST_GROUPS) return;
      const { registry, faultsOf } = this.#schema;
      ranking = new TypeRanking(registry, (type) => faultsOf(type).length === 0);
      this.#groups.set(name, ranking);
    }
    ranking.add(payload.subarray(0, COMPARED));
  };

  notes(): readonly string[] {
    return [...this.#groups].flatMap(([name, ranking]) => {
      const candidates = printRanking(ranking.ranked());
      const what = `${plural(ranking.messages, 'message')} of ${name}`;
      return candidates.length === 0
        ? [`wirecost: no type of the schemas explains the ${what}; read by field numbers`]
        : [`wirecost: read by field numbers are ${what}; --type may be`, ...candidates];
    });
  }
}
