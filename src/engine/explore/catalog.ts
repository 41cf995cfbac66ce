/**
 * A registry as trees, by package and by folder. Nodes are opened one at a time, so thousands of types cost only the
 * opened ones.
 *
 *   package ─ packages in it, then messages, enums, services and extensions by name
 *   folder  ─ folders in it, then files; a file ─ what it declares
 *
 * A chain of packages with one child each is a single node: `google.cloud.dataplex.v1`, not four.
 */
import type {
  EnumDescriptor,
  FieldDescriptor,
  MessageDescriptor,
  Registry,
  ServiceDescriptor,
} from '../schema/descriptor.ts';

export type NodeKind = 'package' | 'folder' | 'file' | 'message' | 'enum' | 'service' | 'extension';

export interface CatalogNode {
  /** `kind:name`, unique in a tree. */
  readonly id: string;
  readonly kind: NodeKind;
  /** Full name of a symbol or package, path of a file or folder. */
  readonly name: string;
  /** Its label in the tree, relative to its parent. */
  readonly label: string;
  /** Fields of a message, values of an enum, methods of a service; types in a package, files in a folder. */
  readonly count: number;
  readonly hasChildren: boolean;
}

export type CatalogOrder = 'package' | 'file';

export interface Catalog {
  /** Direct children of a node; for null, the roots. Unknown nodes have no children. */
  children(order: CatalogOrder, id: string | null): readonly CatalogNode[];
  /** The path to a node, from the root to the node itself; empty: the node does not exist. */
  wayTo(order: CatalogOrder, id: string): readonly string[];
}

/** A leaf of the tree. Its members are counted when its branch is opened. */
type Leaf =
  | MessageDescriptor
  | EnumDescriptor
  | ServiceDescriptor
  | FieldDescriptor
  | { readonly kind: 'file'; readonly path: string; readonly declares: number };

/** Names or paths, divided into parts. */
interface Branch {
  /** The complete name or path. */
  readonly name: string;
  readonly branches: Map<string, Branch>;
  readonly leaves: Leaf[];
  /** Number of leaves in this branch and below. */
  total: number;
}

export function createCatalog(registry: Registry): Catalog {
  const declared = declaredIn(registry);
  const roots: Record<CatalogOrder, Branch | null> = { package: null, file: null };

  const rootOf = (order: CatalogOrder): Branch => {
    roots[order] ??= order === 'package' ? growPackages(registry, declared) : growFolders(registry, declared);
    return roots[order];
  };
  const listOf = (branch: Branch, separator: string, kind: NodeKind): readonly CatalogNode[] => [
    ...[...branch.branches.values()]
      .map((child) => nodeOfBranch(straighten(child), branch.name, separator, kind))
      .sort(byLabel),
    ...nodesOf(branch.leaves),
  ];
  const leavesIn = (message: MessageDescriptor | undefined): readonly Leaf[] =>
    message === undefined
      ? []
      : [
          ...message.messages.filter(({ isMapEntry }) => !isMapEntry),
          ...message.enums,
          ...(declared.byMessage.get(message.fullName) ?? []),
        ];
  const nodesOf = (leaves: readonly Leaf[]): readonly CatalogNode[] =>
    leaves.map((leaf) => nodeOfLeaf(leaf, leaf.kind === 'message' && leavesIn(leaf).length > 0)).sort(byLabel);

  return {
    children(order, id) {
      const [separator, kind] = order === 'package' ? (['.', 'package'] as const) : (['/', 'folder'] as const);
      if (id === null) return listOf(rootOf(order), separator, kind);
      const [nodeKind, name] = splitId(id);
      if (nodeKind === kind) {
        const branch = branchAt(rootOf(order), name, separator);
        return branch === undefined ? [] : listOf(branch, separator, kind);
      }
      if (nodeKind === 'file' && order === 'file') return nodesOf(declared.byFile.get(name) ?? []);
      return nodeKind === 'message' ? nodesOf(leavesIn(registry.messages.get(name))) : [];
    },

    wayTo(order, id) {
      const [kind, name] = splitId(id);
      const file = fileOf(registry, kind, name);
      const chain: string[] = [];
      if (kind === 'message' || kind === 'enum' || kind === 'service' || kind === 'extension') {
        if (file === undefined) return [];
        chain.push(id);
        for (let above = parentOf(name, '.'); registry.messages.has(above); above = parentOf(above, '.')) {
          chain.unshift(`message:${above}`);
        }
      }
      if (order === 'file' && file !== undefined) chain.unshift(`file:${file}`);
      const separator = order === 'package' ? '.' : '/';
      const place =
        order === 'package'
          ? packageOf(registry, kind, name, file)
          : kind === 'folder'
            ? name
            : parentOf(file ?? '', '/');
      const branches: string[] = [];
      let branch: Branch | undefined = rootOf(order);
      for (const part of place === '' ? [] : place.split(separator)) {
        branch = branch?.branches.get(part);
        if (branch === undefined) return [];
        if (straighten(branch) === branch)
          branches.push(`${order === 'package' ? 'package' : 'folder'}:${branch.name}`);
      }
      return [...branches, ...chain];
    },
  };
}

/** Symbols that are not nested in a message, by package and by file, and extensions that are, by the message. */
interface Declared {
  readonly byPackage: ReadonlyMap<string, readonly Leaf[]>;
  readonly byFile: ReadonlyMap<string, readonly Leaf[]>;
  readonly byMessage: ReadonlyMap<string, readonly FieldDescriptor[]>;
}

function declaredIn(registry: Registry): Declared {
  const packages = new Map(registry.files.map((file) => [file.path, file.package]));
  const byPackage = new Map<string, Leaf[]>();
  const byFile = new Map<string, Leaf[]>();
  const byMessage = new Map<string, FieldDescriptor[]>();
  const put = <T extends Leaf>(map: Map<string, T[]>, key: string, leaf: T): void => {
    const known = map.get(key);
    if (known) known.push(leaf);
    else map.set(key, [leaf]);
  };
  for (const types of [registry.messages, registry.enums, registry.services, registry.extensions]) {
    for (const leaf of types.values()) {
      const parent = parentOf(leaf.fullName, '.');
      if (!registry.messages.has(parent)) {
        put(byPackage, packages.get(leaf.file) ?? '', leaf);
        put(byFile, leaf.file, leaf);
      } else if (leaf.kind === 'field') put(byMessage, parent, leaf);
    }
  }
  return { byPackage, byFile, byMessage };
}

function nodeOfLeaf(leaf: Leaf, hasChildren: boolean): CatalogNode {
  switch (leaf.kind) {
    case 'message':
      return { ...leafNode('message', leaf.fullName, leaf.name, leaf.fields.length), hasChildren };
    case 'enum':
      return leafNode('enum', leaf.fullName, leaf.name, leaf.values.length);
    case 'service':
      return leafNode('service', leaf.fullName, leaf.name, leaf.methods.length);
    case 'field':
      return leafNode('extension', leaf.fullName, leaf.name, 0);
    case 'file': {
      const label = leaf.path.slice(leaf.path.lastIndexOf('/') + 1);
      return { ...leafNode('file', leaf.path, label, leaf.declares), hasChildren: leaf.declares > 0 };
    }
  }
}

const leafNode = (kind: NodeKind, name: string, label: string, count: number): CatalogNode => ({
  id: `${kind}:${name}`,
  kind,
  name,
  label,
  count,
  hasChildren: false,
});

function growPackages(registry: Registry, { byPackage }: Declared): Branch {
  const root = emptyBranch('');
  for (const name of new Set([...registry.files.map((file) => file.package), ...byPackage.keys()])) {
    grow(root, name, '.', byPackage.get(name) ?? []);
  }
  return root;
}

function growFolders(registry: Registry, { byFile }: Declared): Branch {
  const root = emptyBranch('');
  for (const { path } of [...registry.files].sort((a, b) => compareText(a.path, b.path))) {
    const declared = byFile.get(path) ?? [];
    grow(root, parentOf(path, '/'), '/', [{ kind: 'file', path, declares: declared.length }]);
  }
  return root;
}

const emptyBranch = (name: string): Branch => ({ name, branches: new Map(), leaves: [], total: 0 });

function grow(root: Branch, name: string, separator: string, leaves: readonly Leaf[]): void {
  let branch = root;
  branch.total += leaves.length;
  for (const part of name === '' ? [] : name.split(separator)) {
    let next = branch.branches.get(part);
    if (next === undefined) {
      next = emptyBranch(branch.name === '' ? part : `${branch.name}${separator}${part}`);
      branch.branches.set(part, next);
    }
    branch = next;
    branch.total += leaves.length;
  }
  for (const leaf of leaves) branch.leaves.push(leaf);
}

/** Joins a chain of branches with one child each. */
function straighten(branch: Branch): Branch {
  let end = branch;
  while (end.leaves.length === 0 && end.branches.size === 1) end = end.branches.values().next().value!;
  return end;
}

function branchAt(root: Branch, name: string, separator: string): Branch | undefined {
  let branch: Branch | undefined = root;
  for (const part of name === '' ? [] : name.split(separator)) branch = branch?.branches.get(part);
  return branch;
}

const nodeOfBranch = (branch: Branch, above: string, separator: string, kind: NodeKind): CatalogNode => ({
  id: `${kind}:${branch.name}`,
  kind,
  name: branch.name,
  label: above === '' ? branch.name : branch.name.slice(above.length + separator.length),
  count: branch.total,
  hasChildren: true,
});

function fileOf(registry: Registry, kind: NodeKind, name: string): string | undefined {
  switch (kind) {
    case 'message':
      return registry.messages.get(name)?.file;
    case 'enum':
      return registry.enums.get(name)?.file;
    case 'service':
      return registry.services.get(name)?.file;
    case 'extension':
      return registry.extensions.get(name)?.file;
    case 'file':
      return name;
    default:
      return undefined;
  }
}

function packageOf(registry: Registry, kind: NodeKind, name: string, file: string | undefined): string {
  if (kind === 'package') return name;
  return registry.files.find(({ path }) => path === file)?.package ?? '';
}

const splitId = (id: string): readonly [NodeKind, string] => {
  const colon = id.indexOf(':');
  return [id.slice(0, colon) as NodeKind, id.slice(colon + 1)];
};

const parentOf = (name: string, separator: string): string => name.slice(0, Math.max(0, name.lastIndexOf(separator)));

const byLabel = (a: CatalogNode, b: CatalogNode): number => compareText(a.label, b.label);

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
