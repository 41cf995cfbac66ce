/**
 * A profile → the tree that an icicle draws: the bytes of one encoding by field path, and the unattributed bytes at the
 * root.
 */
import { buildFieldTree, type FieldNode } from '#engine/cost/field-tree.ts';
import { segmentsOf } from '#engine/cost/ledger-segments.ts';
import { PROTOBUF, type Profile, sumCells, totalIn } from '#engine/cost/profile.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import type { IcicleNode } from './icicle-geometry.ts';

/** @param ledger id of one of the profile's pair */
export function icicleTree(profile: Profile, ledger: string = profile.pair[0]): IcicleNode {
  const name = shortNameOf(profile.type) || 'all';
  const side = ledger === profile.pair[0] ? 0 : 1;
  const nodeOf = ({ field, own, total, children }: FieldNode): IcicleNode => ({
    path: field.path,
    name: field.name,
    bytes: sumCells(total.sides[side]),
    own: segmentsOf(own.sides[side]),
    children: children.map(nodeOf),
  });
  return {
    path: '',
    name,
    bytes: totalIn(profile, ledger),
    own: [
      { category: 'unattributed', bytes: ledger === PROTOBUF ? profile.unattributed : 0 },
      ...(ledger === PROTOBUF ? [] : segmentsOf(profile.ledgers[ledger]?.own[''] ?? {})),
    ],
    children: buildFieldTree(profile).map(nodeOf),
  };
}
