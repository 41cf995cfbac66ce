import { describe, expect, test } from 'vitest';
import { filesAlike, likelyRoot } from './alike-files.ts';

test('files of the same name, the most similar first', () => {
  const files = ['x/mount.proto', 'y/types/mount.proto', 'api/types/amount.proto', 'mount.proto'];
  expect(filesAlike('api/types/mount.proto', files)).toEqual(['y/types/mount.proto', 'x/mount.proto', 'mount.proto']);
  expect(filesAlike('api/other.proto', files)).toEqual([]);
});

describe('the root that an import may mean', () => {
  const ARCHIVE = ['containerd-main/api/types/mount.proto', 'containerd-main/api/types/task/task.proto'];
  test.each([
    ['named otherwise', 'github.com/containerd/containerd/api/types/mount.proto', ARCHIVE, 'containerd-main'],
    ['some folders down', 'api/types/mount.proto', ['a/b/types/mount.proto'], 'a/b'],
    ['the likest of two', 'k8s.io/api/v1/a.proto', ['x/v1/a.proto', 'y/api/v1/a.proto'], 'y'],
    ['of two that are equally like', 'k8s.io/v1/a.proto', ['x/v1/a.proto', 'y/v1/a.proto'], undefined],
    ['of a file that has but its name', 'k8s.io/api/a.proto', ['x/a.proto'], undefined],
    ['of a file that is there already', 'k8s.io/api/a.proto', ['api/a.proto'], undefined],
    ['of a name that ends alike', 'types/mount.proto', ['x/types/amount.proto'], undefined],
    ['of a file within another tree', 'xds/core/v3/a.proto', ['b/config/core/v3/a.proto'], undefined],
    ['of nothing', 'types/mount.proto', [], undefined],
  ])('%s', (_, path, files, root) => {
    expect(likelyRoot(path, files, ['a/b/c.proto', 'b/type/b.proto'])?.root).toBe(root);
  });
});
