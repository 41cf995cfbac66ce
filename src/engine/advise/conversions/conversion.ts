/** How the values of a field become others, and come back: what the `value` of a type change says. */
import type { CompatibilityLevel } from '../../schema/compare/compare-fields.ts';
import type { ChangeStep, Compatibility, TypeChange } from '../change.ts';
import type { FieldForm } from '../forms.ts';
import type { TreeNode, TreeValue } from '../value-tree.ts';

export interface Mapping {
  /** In place. @throws ImpossibleChange where a value could not be brought back. */
  readonly forward: (tree: TreeNode, step: ChangeStep) => void;
  readonly backward: (tree: TreeNode, step: ChangeStep) => void;
  /** In JSON, where the types alone say something else. */
  readonly json?: CompatibilityLevel;
  /** Where it says more than the types do. */
  readonly compatibility?: Partial<Pick<Compatibility, 'binary' | 'json' | 'source'>> & Pick<Compatibility, 'reasons'>;
}

/** One way of saying a value. */
export interface Conversion {
  /** The mapping that a change asks for; undefined: it is not this one. */
  readonly read: (change: TypeChange, from: FieldForm, to: FieldForm) => Mapping | undefined;
}

/** Each value alone: undefined, where it cannot be brought back exactly. */
export interface ValueMapping {
  readonly to: (value: TreeValue) => TreeValue | undefined;
  readonly back: (value: TreeValue) => TreeValue;
}
