/** The page and the command line find the same shipped files for an import. */
import { expect, test } from 'vitest';
import { readImported } from '../cli/inputs/schema-files.ts';
import { shipped } from './shipped.ts';

test.each([
  ['a schema of a system', 'prometheus/remote-write-1.proto', 'prometheus/remote-write-1.proto'],
  ['options of native layouts', 'native/options.proto', 'native/options.proto'],
  ['a common import', 'google/api/annotations.proto', 'google/api/annotations.proto'],
  ['gogoproto by its repository', 'github.com/gogo/protobuf/gogoproto/gogo.proto', 'gogoproto/gogo.proto'],
  ['the end of a path', 'remote-write-1.proto', null],
  ['the end of several paths', 'common.proto', null],
  ['a schema of a system below a repository', 'github.com/gogo/protobuf/native/options.proto', null],
  ['a file that does not ship', 'google/api/nothing.proto', null],
])('%s', async (_, imported, path) => {
  const found = shipped.findSchema(imported);
  const files = found === undefined ? [] : await shipped.schemaFiles([found]);
  expect(files).toEqual(await readImported([imported]));
  expect(files.map((file) => file.path)).toEqual(path === null ? [] : [path]);
});
