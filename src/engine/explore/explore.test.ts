import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema, openSchema } from '../schema/compile.ts';
import type { Registry } from '../schema/descriptor.ts';
import { runToEnd } from '../schema/steps.ts';
import { typeGraph } from '../schema/type-graph.ts';
import { type CatalogNode, type CatalogOrder, createCatalog } from './catalog.ts';
import { costlyFields } from './costly-fields.ts';
import { describeFile, describeGroup, describeSymbol, type Explored } from './describe.ts';
import { indexNames, type SearchScope } from './find-names.ts';
import type { EnumPage, ExtensionPage, MessagePage, ServicePage } from './pages.ts';
import { typeCosts } from './type-costs.ts';

const FILES: Readonly<Record<string, string>> = {
  'shop/v1/order.proto': `syntax = "proto3";
package shop.v1;
import "shop/v1/common/money.proto";
import "none.proto";
// A purchase of a customer.
message Order {
  reserved 7, 9 to 11;
  reserved "old";
  // Its number.
  string id = 1;
  repeated Line lines = 2;
  optional sint64 discount = 16;
  map<string, shop.v1.common.Money> totals = 2048;
  oneof payer { string person = 4; Order parent = 5 [deprecated = true]; }
  message Line { Order order = 1; State state = 2; }
  // How far it is.
  enum State { UNKNOWN = 0; PAID = 1; LOST = -1; }
}
// Sells.
service Till {
  // Takes an order.
  rpc Sell (Order) returns (stream shop.v1.common.Money);
}
`,
  'shop/v1/common/money.proto': `syntax = "proto2";
package shop.v1.common;
message Money { required int64 cents = 1; extensions 100 to max; }
extend Money { optional string currency = 100; }
message Empty { extensions 1; extend Empty { optional Empty none = 1; } }
`,
  'bare.proto': 'syntax = "proto3"; message Bare { int32 size_in_bytes = 1; } enum Color { RED = 0; }',
};

const { registry, symbols } = compileSchema(Object.entries(FILES).map(([path, content]) => ({ path, content })));
const catalog = createCatalog(registry);
const explored: Explored = {
  registry,
  symbols,
  catalog,
  graph: typeGraph(registry),
  layoutOf: deriveLayouts(NATIVE_PROFILES[0]!),
};

/** The tree, wholly opened. */
function print(order: CatalogOrder, id: string | null = null, indent = ''): readonly string[] {
  return catalog
    .children(order, id)
    .flatMap((node) => [`${indent}${node.kind} ${node.label} ${node.count}`, ...print(order, node.id, `${indent}  `)]);
}

describe('the tree', () => {
  test('by package, with chains of one child as one node', () => {
    expect(print('package')).toEqual([
      'package shop.v1 5',
      '  package common 3',
      '    message Empty 0',
      '      extension none 0',
      '    message Money 1',
      '    extension currency 0',
      '  message Order 6',
      '    message Line 2',
      '    enum State 3',
      '  service Till 1',
      'message Bare 1',
      'enum Color 1',
    ]);
  });

  test('by file', () => {
    expect(print('file')).toEqual([
      'folder shop/v1 2',
      '  folder common 1',
      '    file money.proto 3',
      '      message Empty 0',
      '        extension none 0',
      '      message Money 1',
      '      extension currency 0',
      '  file order.proto 2',
      '    message Order 6',
      '      message Line 2',
      '      enum State 3',
      '    service Till 1',
      'file bare.proto 2',
      '  message Bare 1',
      '  enum Color 1',
    ]);
  });

  test.each<[CatalogOrder, string, readonly string[]]>([
    ['package', 'enum:shop.v1.Order.State', ['package:shop.v1', 'message:shop.v1.Order', 'enum:shop.v1.Order.State']],
    [
      'package',
      'message:shop.v1.common.Money',
      ['package:shop.v1', 'package:shop.v1.common', 'message:shop.v1.common.Money'],
    ],
    ['package', 'message:Bare', ['message:Bare']],
    ['package', 'package:shop.v1.common', ['package:shop.v1', 'package:shop.v1.common']],
    [
      'file',
      'message:shop.v1.Order.Line',
      ['folder:shop/v1', 'file:shop/v1/order.proto', 'message:shop.v1.Order', 'message:shop.v1.Order.Line'],
    ],
    [
      'file',
      'file:shop/v1/common/money.proto',
      ['folder:shop/v1', 'folder:shop/v1/common', 'file:shop/v1/common/money.proto'],
    ],
    [
      'package',
      'extension:shop.v1.common.currency',
      ['package:shop.v1', 'package:shop.v1.common', 'extension:shop.v1.common.currency'],
    ],
    ['package', 'message:no.Such', []],
    ['package', 'constructor', []],
  ])('%s: the path to %s', (order, id, way) => {
    expect(catalog.wayTo(order, id)).toEqual(way);
  });

  test('every node is found by its path', () => {
    const walk = (order: CatalogOrder, parent: string | null, way: readonly string[]): void => {
      for (const node of catalog.children(order, parent)) {
        expect(catalog.wayTo(order, node.id)).toEqual([...way, node.id]);
        walk(order, node.id, [...way, node.id]);
      }
    };
    walk('package', null, []);
    walk('file', null, []);
  });
});

describe('names are found', () => {
  const index = indexNames(registry);
  runToEnd(index.list());
  const found = (query: string, scope: SearchScope = 'all') =>
    index
      .find(query, scope, 100)
      .names.map(({ kind, name, type }) => `${kind} ${name}${type === null ? '' : ` ${type}`}`);

  test.each<[string, string, SearchScope, readonly string[]]>([
    [
      'a bare name, before what only begins or holds it',
      'order',
      'all',
      [
        'message shop.v1.Order',
        'field shop.v1.Order.Line.order Order',
        'file shop/v1/order.proto',
        'message shop.v1.Order.Line',
        'enum shop.v1.Order.State',
      ],
    ],
    [
      'by a part in the middle',
      'oney',
      'all',
      ['message shop.v1.common.Money', 'file shop/v1/common/money.proto', 'field shop.v1.common.Money.cents int64'],
    ],
    ['by several parts', 'v1 curr', 'all', ['extension shop.v1.common.currency string']],
    ['fields by their name', 'size', 'members', ['field Bare.size_in_bytes int32']],
    [
      'fields by a message used',
      'money',
      'uses',
      ['method shop.v1.Till.Sell Order → stream Money', 'field shop.v1.Order.totals map<string, Money>'],
    ],
    ['fields by a scalar used', 'sint64', 'uses', ['field shop.v1.Order.discount sint64']],
    ['enum values', 'paid', 'members', ['value shop.v1.Order.PAID']],
    ['enum values by their enum', 'State.PAID', 'all', ['value shop.v1.Order.PAID']],
    ['methods by their path', '/shop.v1.Till/Sell', 'all', ['method shop.v1.Till.Sell Order → stream Money']],
    ['extensions in brackets', '[shop.v1.common.currency]', 'all', ['extension shop.v1.common.currency string']],
    ['types of an Any', 'type.googleapis.com/shop.v1.common.Money', 'all', found('shop.v1.common.Money').slice(0, 5)],
    ['names behind a dot', '.shop.v1.common.Empty', 'all', found('shop.v1.common.Empty').slice(0, 5)],
    ['marks find nothing', '. []', 'all', []],
    ['blanks find nothing', '  ', 'all', []],
    ['unknown names find nothing', 'zebra', 'all', []],
  ])('%s', (_, query, scope, expected) => {
    expect(found(query, scope).slice(0, 5)).toEqual(expected);
  });

  test('types are found at once, members once they are listed, map entries never', () => {
    const fresh = indexNames(registry);
    const namesOf = (query: string) => fresh.find(query, 'all', 100).names.map(({ kind, name }) => `${kind} ${name}`);
    const types = namesOf('shop.v1.order');
    expect(types).toEqual(['message shop.v1.Order', 'message shop.v1.Order.Line', 'enum shop.v1.Order.State']);
    expect(fresh.find('id', 'members', 9)).toEqual({ names: [], total: 0, listed: 0 });
    const listing = fresh.list();
    for (let steps = 0; steps < 3; steps++) listing.next();
    const { listed } = fresh.find('', 'all', 9);
    expect(listed).toBeGreaterThan(0);
    expect(listed).toBeLessThan(1);
    runToEnd(listing);
    expect(fresh.find('', 'all', 9).listed).toBe(1);
    expect(namesOf('shop.v1.order')).toContain('field shop.v1.Order.id');
    expect(namesOf('entry')).toEqual([]);
  });

  test('at most the requested number is listed, and all are counted', () => {
    const { names, total } = index.find('e', 'all', 2);
    expect(names).toHaveLength(2);
    expect(total).toBeGreaterThan(10);
  });

  test('any typed text', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom<SearchScope>('all', 'members', 'uses'), (query, scope) => {
        const { names, total } = index.find(query, scope, 5);
        expect(names.length).toBe(Math.min(5, total));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('pages', () => {
  test('a message', () => {
    const page = describeSymbol(explored, 'shop.v1.Order') as MessagePage;
    expect(page).toMatchObject({
      kind: 'message',
      package: 'shop.v1',
      file: 'shop/v1/order.proto',
      syntax: 'proto3',
      comment: 'A purchase of a customer.',
      place: { file: 'shop/v1/order.proto', line: 6, column: 9 },
      reserved: ['7', '9 to 11', '"old"'],
      uses: ['shop.v1.Order.Line', 'shop.v1.common.Money', 'shop.v1.Order'],
      depth: null,
      cycle: ['parent'],
    });
    expect(
      page.fields.map(({ number, name, type, presence, tagBytes, oneof, cost }) => [
        number,
        name,
        type.text,
        type.leadsTo,
        presence,
        tagBytes,
        oneof,
        cost.native?.writer,
      ]),
    ).toEqual([
      [1, 'id', 'string', null, 'implicit', 1, null, 'String'],
      [2, 'lines', 'repeated Line', 'shop.v1.Order.Line', 'none', 1, null, 'VInt count, fields each'],
      [16, 'discount', 'sint64', null, 'explicit', 2, null, 'optional Long'],
      [2048, 'totals', 'map<string, Money>', 'shop.v1.common.Money', 'none', 3, null, 'VInt count, fields each'],
      [4, 'person', 'string', null, 'explicit', 1, 'payer', 'optional String'],
      [5, 'parent', 'Order', 'shop.v1.Order', 'explicit', 1, 'payer', 'optional fields'],
    ]);
    expect(page.fields[5]!.deprecated).toBe(true);
    expect(page.usedBy.map(({ kind, label, type }) => [kind, label, type])).toEqual([
      ['field', 'Order.parent', 'Order'],
      ['field', 'Line.order', 'Order'],
      ['method', 'Till.Sell', 'Order → stream Money'],
    ]);
  });

  test('an enum, with the bytes of its values', () => {
    const page = describeSymbol(explored, 'shop.v1.Order.State') as EnumPage;
    expect(page).toMatchObject({ kind: 'enum', parent: 'shop.v1.Order', comment: 'How far it is.', closed: false });
    expect(page.values.map(({ name, number, valueBytes }) => [name, number, valueBytes])).toEqual([
      ['UNKNOWN', 0, 1],
      ['PAID', 1, 1],
      ['LOST', -1, 10],
    ]);
  });

  test('a service', () => {
    const page = describeSymbol(explored, 'shop.v1.Till') as ServicePage;
    expect(page.comment).toBe('Sells.');
    expect(page.methods).toMatchObject([
      {
        name: 'Sell',
        path: '/shop.v1.Till/Sell',
        serverStreaming: true,
        clientStreaming: false,
        comment: 'Takes an order.',
      },
    ]);
  });

  test('an extension', () => {
    const page = describeSymbol(explored, 'shop.v1.common.currency') as ExtensionPage;
    expect(page).toMatchObject({ kind: 'extension', package: 'shop.v1.common', extended: 'shop.v1.common.Money' });
    expect((describeSymbol(explored, 'shop.v1.common.Money') as MessagePage).extensions).toMatchObject([
      {
        fullName: 'shop.v1.common.currency',
        tagBytes: 2,
        cost: { protobuf: { absent: 0, least: 3, most: undefined }, native: undefined },
      },
    ]);
  });

  test.each([
    ['a field', 'shop.v1.Order.id', 'shop.v1.Order'],
    ['a method', 'shop.v1.Till.Sell', 'shop.v1.Till'],
    ['an enum value, which is a name of the scope around the enum', 'shop.v1.Order.PAID', 'shop.v1.Order.State'],
    ['an enum value without a package', 'RED', 'Color'],
  ])('%s is on the page of its owner', (_, name, owner) => {
    expect(describeSymbol(explored, name)?.fullName).toBe(owner);
  });

  test.each(['', 'no.Such', 'constructor', '__proto__', 'shop.v1', 'shop.v1.Order.constructor'])(
    '“%s” has no page',
    (name) => {
      expect(describeSymbol(explored, name)).toBeNull();
    },
  );

  test('a file, with its imports and its importers', () => {
    expect(describeFile(explored, 'shop/v1/order.proto')).toMatchObject({
      imports: [
        { path: 'shop/v1/common/money.proto', kind: 'plain', file: 'shop/v1/common/money.proto' },
        { path: 'none.proto', kind: 'plain', file: null },
      ],
      importedBy: [],
    });
    expect(describeFile(explored, 'shop/v1/common/money.proto')?.importedBy).toEqual(['shop/v1/order.proto']);
    expect(describeFile(explored, 'none.proto')).toBeNull();
  });

  test('a package and a folder', () => {
    const labels = (nodes: readonly CatalogNode[] | undefined) => nodes?.map(({ label }) => label);
    expect(labels(describeGroup(explored, 'package', 'shop.v1')?.contents)).toEqual(['common', 'Order', 'Till']);
    expect(labels(describeGroup(explored, 'folder', 'shop')?.contents)).toEqual(['v1']);
    expect(describeGroup(explored, 'package', 'none')).toBeNull();
  });
});

describe('names of a set are the same with and without linking', () => {
  const SETS = new URL('../../../fixtures/schema/sets/', import.meta.url);
  test.each(readdirSync(SETS))('%s', (path) => {
    const content = new Uint8Array(readFileSync(new URL(path, SETS)));
    const namesIn = (registry: Registry): readonly string[] => {
      const names = indexNames(registry);
      runToEnd(names.list());
      return ['a', 'e', '_'].flatMap((query) =>
        (['members', 'uses'] as const).flatMap((scope) =>
          names.find(query, scope, 100_000).names.map(({ kind, name, type }) => `${kind} ${name} ${type}`),
        ),
      );
    };
    const opened = openSchema([{ path, content }]).registry;
    const before = namesIn(opened);
    const isWaiting = [...opened.messages.values()].some((message) => message.namedFields?.() !== undefined);
    expect(isWaiting).toBe(true);
    expect(before.length).toBeGreaterThan(0);
    expect(before).toEqual(namesIn(compileSchema([{ path, content }]).registry));
  });
});

test('costly fields by reason, all counted, some listed', () => {
  const all = () => true;
  const { counts, fields } = costlyFields(explored, 'tag', 1, all);
  expect(counts).toMatchObject({ tag: 2, map: 1 });
  expect(fields).toMatchObject([{ fullName: 'shop.v1.Order.discount', number: 16, type: 'sint64', isGuess: false }]);
  expect(costlyFields(explored, 'tag', 1, () => false)).toEqual({ counts: {}, fields: [] });
});

test('a deeply nested field is marked, on its page and in the list of costly fields', () => {
  const page = describeSymbol(explored, 'shop.v1.Order') as MessagePage;
  const about = page.fields.filter(({ cost }) => cost.findings.some(({ code }) => code === 'nesting'));
  expect(about.map(({ name }) => name)).toEqual(['lines', 'parent']);
  const { fields } = costlyFields(explored, 'nesting', 9, () => true);
  expect(fields.map(({ fullName }) => fullName)).toEqual([
    'shop.v1.Order.lines',
    'shop.v1.Order.parent',
    'shop.v1.Order.Line.order',
  ]);
  expect(fields[0]!.message).toMatch(/^Any number of messages/);

  const content =
    'syntax = "proto3"; message A { B b = 1; } message B { C c = 1; } message C { D d = 1; } message D { map<int32, E> e = 1; } message E {}';
  const { registry } = compileSchema([{ path: 'deep.proto', content }]);
  const deep = costlyFields({ registry, graph: typeGraph(registry) }, 'nesting', 9, () => true);
  expect(deep.fields).toMatchObject([{ fullName: 'A.b', message: expect.stringMatching(/^Up to 4 messages/) }]);
});

describe('costs of types by their declarations', () => {
  const costsOf = (isOwn: (file: string) => boolean) => runToEnd(typeCosts(registry, isOwn)) ?? [];

  test.each([
    // id, lines, discount, totals, person, parent: tags of 1, 1, 2, 3, 1, 1.
    ['shop.v1.Order', { package: 'shop.v1', fields: 6, tag: 9, length: 5, groupEnd: 0 }],
    ['shop.v1.Order.Line', { fields: 2, tag: 2, length: 1, value: 1 }],
    ['shop.v1.common.Money', { fields: 1, tag: 1, length: 0, value: 1 }],
    ['shop.v1.common.Empty', { fields: 0, tag: 0, length: 0, value: 0 }],
  ])('%s', (name, cost) => {
    expect(costsOf(() => true).find(({ fullName }) => fullName === name)).toMatchObject(cost);
  });

  test('files that are only imported do not count', () => {
    const names = costsOf((file) => file === 'bare.proto').map(({ fullName }) => fullName);
    expect(names).toEqual(['Bare']);
  });
});
