/** The loaded schema as trees, names and pages. What the engine builds for it is kept until the schema changes. */

import { type Catalog, createCatalog } from '#engine/explore/catalog.ts';
import { chooseTypes, type TypeSummary } from '#engine/explore/choose-types.ts';
import { costlyFields } from '#engine/explore/costly-fields.ts';
import { describeFile, describeGroup, describeSymbol, describeWhole, type Explored } from '#engine/explore/describe.ts';
import { type FoundNames, indexNames, type NameIndex } from '#engine/explore/find-names.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import type { ExploreApi, PageRequest } from './explore-api.ts';
import { typeNamed } from './group-types.ts';
import type { HandlersOf } from './protocol.ts';
import { offeredTypes } from './schema-handlers.ts';
import { inTurns } from './schema-sources.ts';
import type { Session } from './session-state.ts';

interface Prepared {
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly names: NameIndex;
  readonly look: Look;
  types: readonly TypeSummary[] | null;
}

/** Milliseconds between two answers of a search whose names are still being listed. */
const SEARCH_AGAIN = 400;

export function exploreHandlers(session: Session): HandlersOf<ExploreApi> {
  let prepared: Prepared | null = null;
  const prepare = (): Prepared => {
    const { registry } = session.schema;
    if (prepared?.registry !== registry) {
      const names = indexNames(registry);
      prepared = {
        registry,
        catalog: createCatalog(registry),
        names,
        look: lookAt(names.list(), session.schema.check()),
        types: null,
      };
    }
    return prepared;
  };
  const explored = (nativeProfile: string, overrides: PageRequest['overrides']): Explored => {
    const { registry, catalog } = prepare();
    const { symbols, graph } = session.schema;
    const profile = NATIVE_PROFILES.find(({ id }) => id === nativeProfile) ?? NATIVE_PROFILES[0]!;
    return { registry, symbols, catalog, graph, layoutOf: deriveLayouts(profile, overrides) };
  };

  return {
    treeNodes: ({ order, parent }) => prepare().catalog.children(order, parent),

    treeWay({ order, of, name }) {
      const { catalog } = prepare();
      if (of !== 'type') return catalog.wayTo(order, `${of}:${name}`);
      const page = describeSymbol(withoutUses(explored('', {})), name);
      return page ? catalog.wayTo(order, `${page.kind}:${page.fullName}`) : [];
    },

    lookThrough: (_, { signal }) => inTurns(prepare().look.through(), signal),

    async findNames({ query, scope, limit }, { signal, soFar }) {
      const { names, look } = prepare();
      const find = (): FoundNames => names.find(query, scope, limit);
      let found = find();
      if (found.listed === 1) return found;
      let told = performance.now();
      soFar(found);
      await inTurns(look.list(), signal, () => {
        if (performance.now() - told < SEARCH_AGAIN) return;
        found = find();
        soFar(found);
        told = performance.now();
      });
      return find();
    },

    chooseTypes({ query, ranking, used, bundled, limit }) {
      const known = prepare();
      known.types ??= offeredTypes(session.schema);
      const shipped = bundled ? offeredTypes({ registry: session.bundled, shelved: new Set() }) : [];
      return chooseTypes([...known.types, ...shipped], { ranking, used, query }).slice(0, limit);
    },

    costlyFields({ code, limit }) {
      const { shelved } = session.schema;
      const isOwn = (file: string) => !shelved.has(file) && !file.startsWith('google/protobuf/');
      return costlyFields(session.schema, code, limit, isOwn);
    },

    hasType: ({ name }) => typeNamed(session, name) !== undefined,

    pagesIn: ({ file }) => describeWhole(withoutUses(explored('', {})), file),

    async describe({ of, name, nativeProfile, overrides }, { signal, soFar }) {
      const { look } = prepare();
      const known = explored(nativeProfile, overrides);
      if (of === 'file') return describeFile(known, name);
      if (of !== 'type') return describeGroup(known, of, name);
      if (!look.isThrough) {
        soFar(describeSymbol(withoutUses(known), name));
        await inTurns(look.through(), signal);
      }
      return describeSymbol(known, name);
    },
  };
}

/** To know who uses a type is to have gone through all of them. */
const withoutUses = (known: Explored): Explored => ({ ...known, graph: { ...known.graph, usedBy: () => [] } });

/** One way through all types, for all who ask: each takes it further. */
interface Look {
  /** Lists what their members are called. */
  list(): Generator<undefined, void>;
  /** After that, links and checks them; what is wrong is known in the end. */
  through(): Generator<undefined, readonly Diagnostic[]>;
  readonly isThrough: boolean;
}

function lookAt(list: Generator<unknown, unknown>, check: Generator<unknown, readonly Diagnostic[]>): Look {
  let isListed = false;
  let wrong: readonly Diagnostic[] | null = null;
  const look = {
    *list(): Generator<undefined, void> {
      while (!isListed) {
        isListed = list.next().done === true;
        yield;
      }
    },
    *through(): Generator<undefined, readonly Diagnostic[]> {
      yield* look.list();
      while (wrong === null) {
        const checked = check.next();
        if (checked.done) wrong = checked.value;
        yield;
      }
      return wrong;
    },
    get isThrough(): boolean {
      return wrong !== null;
    },
  };
  return look;
}
