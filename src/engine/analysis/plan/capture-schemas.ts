/**
 * Whether a bundled file is needed for captures only. Such files are layouts that no protobuf message refers to, and
 * OpenSearch's API and gRPC's own services, whose types the path of a call names. They are most of the bundled text, so
 * it is not loaded for payloads. The file is given by its path under `schemas/`.
 */
export const isForCaptures = (path: string): boolean =>
  /^(kafka\/|grpc\/|xds\/|opensearch-api\/|opensearch\/(?!search-hits|generic-value|profiles))/.test(path);
