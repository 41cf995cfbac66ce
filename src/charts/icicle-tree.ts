/** A profile → the tree that an icicle draws: the bytes of one encoding by field path, and at the root what no rule explains. */
import { buildFieldTree, type FieldNode } from '#engine/cost/field-tree.ts';
import { nativeSegments, protobufSegments } from '#engine/cost/ledger-segments.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { IcicleNode } from './icicle-geometry.ts';

export function icicleTree(profile: Profile, encoding: 'protobuf' | 'native' = 'protobuf'): IcicleNode {
  const name = profile.type.slice(profile.type.lastIndexOf('.') + 1) || 'all';
  return {
    path: '',
    name,
    bytes: profile.bytes[encoding],
    own: [{ category: 'unattributed', bytes: encoding === 'protobuf' ? profile.unattributed : 0 }],
    children: buildFieldTree(profile).map(encoding === 'protobuf' ? nodeOf : nativeNodeOf),
  };
}

const nodeOf = ({ field, own, total, children }: FieldNode): IcicleNode => ({
  path: field.path,
  name: field.name,
  bytes: total.protobufBytes,
  own: protobufSegments(own.protobuf),
  children: children.map(nodeOf),
});

const nativeNodeOf = ({ field, own, total, children }: FieldNode): IcicleNode => ({
  path: field.path,
  name: field.name,
  bytes: total.nativeBytes,
  own: nativeSegments(own.native),
  children: children.map(nativeNodeOf),
});
