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

const RPC = /^\/([^/]+\.[^/]+)\/([^/]+)$/;

/** Methods → those of gRPC without the packages that all have alike: `/fleet.v1.Dispatch/Orders` is `Dispatch/Orders`. */
export function distinctMethods(methods: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...methods];
  const services = distinctNames(all.flatMap((method) => RPC.exec(method)?.[1] ?? []));
  return new Map(
    all.map((method) => [method, method.replace(RPC, (_, service, name) => `${services.get(service)}/${name}`)]),
  );
}
