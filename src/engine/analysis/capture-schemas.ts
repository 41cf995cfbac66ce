/**
 * Whether a bundled file, by its path under `schemas/`, is for captures alone: layouts that no protobuf message refers
 * to, and OpenSearch's API, whose types a call's path names. They are most of the text, and payloads do without them.
 */
export const isForCaptures = (path: string): boolean =>
  /^(kafka\/|opensearch-api\/|opensearch\/(?!search-hits|generic-value))/.test(path);
