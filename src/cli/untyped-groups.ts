/** Messages that name no type which the schemas know, by method and direction → the types that may explain each group. */

import { TypeClassifier } from '#engine/analysis/classify-type.ts';
import { planReading } from '#engine/analysis/plan-reading.ts';
import type { MessageSink } from '#engine/frame/message.ts';
import { printCandidates, type Schema } from './schema.ts';
import { plural } from './text-table.ts';

const MOST_GROUPS = 20;

export class UntypedGroups {
  readonly #schema: Schema;
  readonly #groups = new Map<string, TypeClassifier>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  readonly add: MessageSink = ({ method, direction, transport }, payload) => {
    const name = method === null ? transport : `${method}${direction === null ? '' : `, ${direction}s`}`;
    let classifier = this.#groups.get(name);
    if (classifier === undefined) {
      if (this.#groups.size === MOST_GROUPS) return;
      const { registry, faultsOf } = this.#schema;
      classifier = new TypeClassifier([{ registry, isOffered: (type) => faultsOf(type).length === 0 }]);
      this.#groups.set(name, classifier);
    }
    classifier.sample.add(payload);
  };

  notes(): readonly string[] {
    return [...this.#groups].flatMap(([name, classifier]) => {
      const { candidates } = planReading(classifier);
      const what = `${plural(classifier.sample.seen, 'message')} of ${name}`;
      return candidates.length === 0
        ? [`wirecost: no type of the schemas explains the ${what}; read by field numbers`]
        : [`wirecost: read by field numbers are ${what}; --type may be`, ...printCandidates(candidates)];
    });
  }
}
