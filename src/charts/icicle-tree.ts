/** A profile → the tree that an icicle draws: the protobuf bytes by field path, and at the root what no rule explains. */
import { buildFieldTree, type FieldNode } from '#engine/cost/field-tree.ts';
import { protobufSegments } from '#engine/cost/ledger-segments.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { IcicleNode } from './icicle-geometry.ts';

export function icicleTree(profile: Profile): IcicleNode {
  const name = profile.type.slice(profile.type.lastIndexOf('.') + 1) || 'all';
  return {
    path: '',
    name,
    bytes: profile.bytes.protobuf,
    own: [{ category: 'unattributed', bytes: profile.unattributed }],
    children: buildFieldTree(profile).map(nodeOf),
  };
}

const nodeOf = ({ field, own, total, children }: FieldNode): IcicleNode => ({
  path: field.path,
  name: field.name,
  bytes: total.protobufBytes,
  own: protobufSegments(own.protobuf),
  children: children.map(nodeOf),
});
