/**
 * The loaded schema, and the bundled ones, as trees, names and pages. The engine's indexes are kept until the schema
 * changes.
 */

import { typeNamed } from '#engine/analysis/plan/group-readings.ts';
import { type Catalog, createCatalog } from '#engine/explore/catalog.ts';
import { chooseTypes, type TypeSummary } from '#engine/explore/choose-types.ts';
import { costlyFields } from '#engine/explore/costly-fields.ts';
import { describeFile, describeGroup, describeSymbol, describeWhole, type Explored } from '#engine/explore/describe.ts';
import { type FoundNames, indexNames, type NameIndex } from '#engine/explore/find-names.ts';
import type { Page } from '#engine/explore/pages.ts';
import { typeCosts } from '#engine/explore/type-costs.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { isBuiltInFile } from '#engine/schema/names.ts';
import type { ExploreApi, PageRequest, Shelf, TypeSourceFile } from './explore-api.ts';
import { layoutProfileOf } from './native-profile.ts';
import type { Context, HandlersOf } from './protocol.ts';
import { bundledTypes, offeredTypes } from './schema-handlers.ts';
import { runWithPauses } from './schema-sources.ts';
import { type Session, type SessionSchema, sessionLibrary } from './session-state.ts';

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
  const prepared: Record<Shelf, Prepared | null> = { loaded: null, bundled: null };
  const schemaOf = (shelf: Shelf): SessionSchema => (shelf === 'loaded' ? session.schema : session.bundled);
  const prepare = (shelf: Shelf): Prepared => {
    const { registry, check } = schemaOf(shelf);
    const known = prepared[shelf];
    if (known?.registry === registry) return known;
    const names = indexNames(registry);
    const fresh = {
      registry,
      catalog: createCatalog(registry),
      names,
      look: lookAt(names.list(), check()),
      types: null,
    };
    prepared[shelf] = fresh;
    return fresh;
  };
  const explored = (shelf: Shelf, nativeProfile: string | null, overrides: PageRequest['overrides']): Explored => {
    const { registry, catalog } = prepare(shelf);
    const { symbols, graph } = schemaOf(shelf);
    const profile = layoutProfileOf(nativeProfile);
    return { registry, symbols, catalog, graph, layoutOf: deriveLayouts(profile, overrides) };
  };

  async function describeOn(
    shelf: Shelf,
    { of, name, nativeProfile, overrides }: PageRequest,
    { signal, soFar }: Pick<Context<Page | null>, 'signal' | 'soFar'>,
  ): Promise<Page | null> {
    const { look } = prepare(shelf);
    const known = explored(shelf, nativeProfile, overrides);
    if (of === 'file') return describeFile(known, name);
    if (of !== 'type') return describeGroup(known, of, name);
    if (!look.isThrough) {
      const page = describeSymbol(withoutUses(known), name);
      if (page === null) return null;
      soFar(page);
      await runWithPauses(look.through(), signal);
    }
    return describeSymbol(known, name);
  }

  return {
    treeNodes: ({ shelf, order, parent }) => prepare(shelf).catalog.children(order, parent),

    treeWay({ shelf, order, of, name }) {
      const { catalog } = prepare(shelf);
      if (of !== 'type') return catalog.wayTo(order, `${of}:${name}`);
      const page = describeSymbol(withoutUses(explored(shelf, '', {})), name);
      return page ? catalog.wayTo(order, `${page.kind}:${page.fullName}`) : [];
    },

    lookThrough: (_, { signal }) => runWithPauses(prepare('loaded').look.through(), signal),

    async findNames({ shelf, query, scope, limit }, { signal, soFar }) {
      const { names, look } = prepare(shelf);
      const find = (): FoundNames => names.find(query, scope, limit);
      let found = find();
      if (found.listed === 1) return found;
      let reported = performance.now();
      soFar(found);
      await runWithPauses(look.list(), signal, () => {
        if (performance.now() - reported < SEARCH_AGAIN) return;
        found = find();
        soFar(found);
        reported = performance.now();
      });
      return find();
    },

    chooseTypes({ query, ranking, used, bundled, limit }) {
      const known = prepare('loaded');
      known.types ??= offeredTypes(session.schema);
      const own = new Set(known.types.map(({ fullName }) => fullName));
      const all =
        bundled === 'none' ? [] : bundled === 'all' ? offeredTypes(session.bundled) : bundledTypes(session.bundled);
      const shipped = all.filter(({ fullName }) => !own.has(fullName));
      return chooseTypes([...known.types, ...shipped], { ranking, used, query })
        .slice(0, limit)
        .map((choice) => ({ ...choice, shelf: own.has(choice.type.fullName) ? 'loaded' : 'bundled' }));
    },

    costlyFields: ({ shelf, code, limit }) => costlyFields(schemaOf(shelf), code, limit, isOwn(schemaOf(shelf))),

    typeCosts: ({ shelf }, { signal }) =>
      runWithPauses(typeCosts(schemaOf(shelf).registry, isOwn(schemaOf(shelf))), signal),

    sourcesOf({ types }) {
      const found = types.flatMap((name) => typeNamed(sessionLibrary(session), name) ?? []);
      const reached = new Set<MessageDescriptor>(found);
      for (const type of reached) for (const { message } of type.fields) if (message) reached.add(message);
      const sources = new Map<string, TypeSourceFile>();
      for (const type of reached) {
        const shelf = session.schema.registry.messages.get(type.fullName) === type ? 'loaded' : 'bundled';
        const key = `${shelf} ${type.file}`;
        const { package: packageName = '' } =
          schemaOf(shelf).registry.files.find(({ path }) => path === type.file) ?? {};
        const names = sources.get(key)?.types ?? [];
        sources.set(key, {
          file: type.file,
          package: packageName,
          shelf,
          types: found.includes(type) ? [...names, type.fullName] : names,
        });
      }
      return [...sources.values()];
    },

    hasType: ({ name }) => typeNamed(sessionLibrary(session), name) !== undefined,

    pagesIn: ({ file }) =>
      describeWhole(withoutUses(explored('loaded', '', {})), file) ??
      describeWhole(withoutUses(explored('bundled', '', {})), file),

    describe: async (request, context) =>
      (await describeOn('loaded', request, context)) ?? describeOn('bundled', request, context),
  };
}

/** Files that were loaded themselves, not only as imports. */
const isOwn =
  ({ shelved }: SessionSchema) =>
  (file: string): boolean =>
    !shelved.has(file) && !isBuiltInFile(file);

/** The uses of a type are known once all types are read. */
const withoutUses = (known: Explored): Explored => ({ ...known, graph: { ...known.graph, usedBy: () => [] } });

/** One pass through all types, shared by all calls: each continues it. */
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
