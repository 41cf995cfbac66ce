/**
 * Whether a bundled file, by its path under `schemas/`, has layouts alone that no protobuf message refers to. They are
 * most of the text, and payloads do without them.
 */
export const isLayoutFile = (path: string): boolean =>
  /^(kafka\/|opensearch\/(?!search-hits|generic-value))/.test(path);
