import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Profile } from '#engine/cost/profile.ts';
import type { IcicleNode } from './icicle-geometry.ts';
import { icicleTree } from './icicle-tree.ts';

const HITS: Profile = JSON.parse(
  readFileSync(new URL('../../fixtures/charts/opensearch-hits.profile.json', import.meta.url), 'utf8'),
);

const own = ({ own: parts }: IcicleNode): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);
const ownOfAll = (node: IcicleNode): number => node.children.reduce((sum, child) => sum + ownOfAll(child), own(node));

test.each(['protobuf', 'laid-out'] as const)(
  '%s: every node sums its own bytes and its children, and the root is the profile',
  (encoding) => {
    const tree = icicleTree(HITS, encoding);
    expect(tree.bytes).toBe(HITS.ledgers[encoding]!.bytes);
    const check = (node: IcicleNode): void => {
      expect(ownOfAll(node), node.path).toBe(node.bytes);
      node.children.forEach(check);
    };
    check(tree);
  },
);
