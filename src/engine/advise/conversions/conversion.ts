/** Conversions of a field's values, there and back, as the `value` of a type change describes them. */
import type { CompatibilityLevel } from '../../schema/compare/type-verdicts.ts';
import type { ChangeStep, Compatibility, TypeChange } from '../change.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import type { TreeNode, TreeValue } from '../value-tree.ts';

export interface Mapping {
  /** Modifies the tree. @throws ImpossibleChange if a value cannot be converted back */
  readonly forward: (tree: TreeNode, step: ChangeStep) => void;
  readonly backward: (tree: TreeNode, step: ChangeStep) => void;
  /** Compatibility of the JSON form, if the types alone would give another level. */
  readonly json?: CompatibilityLevel;
  /** Overrides the compatibility of the types. */
  readonly compatibility?: Partial<Pick<Compatibility, 'binary' | 'json' | 'source'>> & Pick<Compatibility, 'reasons'>;
}

/** One kind of description in `value`. */
export interface Conversion {
  /** The mapping for a change; undefined: the change does not ask for this conversion. */
  readonly read: (change: TypeChange, from: FieldForm, to: FieldForm) => Mapping | undefined;
  /** Another field of the message, whose values the conversion needs as they were. undefined: none, or another conversion */
  readonly otherField?: (change: TypeChange, forms: FieldEncodings) => string | undefined;
}

/** Maps each value by itself; undefined: it cannot be converted back exactly. */
export interface ValueMapping {
  readonly to: (value: TreeValue) => TreeValue | undefined;
  readonly back: (value: TreeValue) => TreeValue;
}
