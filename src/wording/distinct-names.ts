/**
 * Full names of types → as few of their last segments as distinguish them: `ListRequest`; of two such types
 * `users.ListRequest` and `orders.ListRequest`.
 *
 * @param between its segments: `/` of paths
 */
export function distinctNames(fullNames: Iterable<string>, between: '.' | '/' = '.'): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let open = [...new Set(fullNames)];
  for (let segments = 1; open.length > 0; segments++) {
    const bySuffix = new Map<string, string[]>();
    for (const name of open) {
      const suffix = name.split(between).slice(-segments).join(between);
      bySuffix.set(suffix, [...(bySuffix.get(suffix) ?? []), name]);
    }
    open = [];
    for (const [suffix, names] of bySuffix) {
      // A name without further segments is as distinct as it can be.
      const [longer, whole] = [names.filter((name) => name !== suffix), names.filter((name) => name === suffix)];
      for (const name of whole) found.set(name, suffix);
      if (longer.length === 1 && whole.length === 0) found.set(longer[0]!, suffix);
      else open.push(...longer);
    }
  }
  return found;
}

/** The part of a word, or half a character, at the end of a beginning: `position_la` ends with `la`, `addressLi` with `Li`. */
const PART = /([A-Z]?[a-z0-9]*|[\ud800-\udbff])$/;

function sharedStart(name: string, other = ''): number {
  let length = 0;
  while (length < name.length && name[length] === other[length]) length++;
  return name.slice(0, length).replace(PART, '').length;
}

/** Names → how many characters, in whole words, each has at its beginning like another: 6 of `total_bytes` and `total_hits`. */
export function sharedStarts(names: Iterable<string>): ReadonlyMap<string, number> {
  const sorted = [...new Set(names)].sort();
  return new Map(
    sorted.map((name, at) => [name, Math.max(sharedStart(name, sorted[at - 1]), sharedStart(name, sorted[at + 1]))]),
  );
}

const RPC = /^\/([^/]+\.[^/]+)\/([^/]+)$/;

/** Methods → those of gRPC without the packages that all have alike: `/fleet.v1.Dispatch/Orders` is `Dispatch/Orders`. */
export function distinctMethods(methods: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...methods];
  const services = distinctNames(all.flatMap((method) => RPC.exec(method)?.[1] ?? []));
  return new Map(
    all.map((method) => [method, method.replace(RPC, (_, service, name) => `${services.get(service)}/${name}`)]),
  );
}
