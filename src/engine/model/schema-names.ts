/** Names of files that hold schemas, as protoc, buf and bazel leave them, compressed or not. */
const SCHEMA = /\.(proto|binpb|pb|desc|protoset|fds)(\.(gz|zst))?$/i;
const MESSAGE_TOO = /\.(binpb|pb)(\.(gz|zst))?$/i;

export const isSchemaName = (path: string): boolean => SCHEMA.test(path);

/** Whether messages have such names, too: the contents decide. */
export const mayBeMessage = (path: string): boolean => MESSAGE_TOO.test(path);
