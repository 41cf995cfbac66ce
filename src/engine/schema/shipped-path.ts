/**
 * The path of the file that ships with Wirecost for an import that is not among the loaded files, if there is one. Paths
 * are compared as a whole: `common.proto` would be the file of whichever system ships one. Go's gogoproto is also
 * imported by the path of its repository.
 */
export const shippedPath = (imported: string): string =>
  imported.replace(/^github\.com\/gogo\/protobuf\/(?=gogoproto\/)/, '');
