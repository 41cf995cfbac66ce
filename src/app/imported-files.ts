/** Common imports that schemas rarely include, in one chunk that is fetched when one of them is missing. */

const FILES = import.meta.glob<string>('../imports/**/*.proto', { query: '?raw', import: 'default', eager: true });

export const IMPORTED: ReadonlyMap<string, string> = new Map(
  Object.entries(FILES).map(([address, text]) => [address.slice('../imports/'.length), text]),
);
