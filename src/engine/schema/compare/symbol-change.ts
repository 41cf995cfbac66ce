/** Changes of a message, an enum or a service, and what each change breaks. */
import type { EnumDescriptor, MessageDescriptor, ServiceDescriptor } from '../descriptor.ts';
import type { FieldChange, PlainRule } from './compare-fields.ts';
import type { CompatibilityLevel } from './type-verdicts.ts';
import {
  type CompatibilitySide,
  compatibilityOf,
  type DifferenceReason,
  EXCHANGED_SIDES,
  type SideVerdicts,
  sidesOf,
  worstOf,
  worstSides,
} from './verdicts.ts';

export interface ValueChange {
  readonly kind: 'added' | 'removed' | 'renamed' | 'renumbered';
  /** `NAME = 1` in each version; undefined: the version does not have it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly reasons: readonly DifferenceReason[];
}

export interface MethodChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly name: string;
  /** `rpc (stream a.B) returns (c.D)`. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly reasons: readonly DifferenceReason[];
}

export interface SymbolChange {
  readonly type: 'message' | 'enum' | 'service';
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  /** Full names in each version; undefined: the version does not have the type. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Whether messages can be read: the worst verdict of all parts. */
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  /** Reasons about the type itself. */
  readonly reasons: readonly DifferenceReason[];
  readonly fields: readonly FieldChange[];
  readonly values: readonly ValueChange[];
  readonly methods: readonly MethodChange[];
}

export type Named = MessageDescriptor | EnumDescriptor | ServiceDescriptor;

/** Affects the exchanged sides, unless others are given. */
export const reason = (
  verdict: CompatibilityLevel,
  message: string,
  ...about: readonly CompatibilitySide[]
): DifferenceReason => ({
  verdict,
  message,
  about: about.length === 0 ? EXCHANGED_SIDES : about,
});

export const UNCOMPILED = reason('unsafe', 'Code that uses it no longer compiles.', 'source');

/** The option of messages and of enums. */
export const JSON_FORMAT: PlainRule = [
  '',
  'conditional',
  'Only one of the versions promises that JSON can be read.',
  'json',
];

const REMOVED: Readonly<Record<Named['kind'], DifferenceReason>> = {
  message: reason('conditional', 'Programs that still read or write this message need the old version.'),
  enum: reason('conditional', 'Fields of this type must have found another one.'),
  service: reason('unsafe', 'The service was removed: calls to it fail.'),
};

export function whole(type: Named, kind: 'added' | 'removed'): SymbolChange {
  const reasons = kind === 'removed' ? [REMOVED[type.kind], UNCOMPILED] : [];
  return {
    type: type.kind,
    kind,
    before: kind === 'removed' ? type.fullName : undefined,
    after: kind === 'added' ? type.fullName : undefined,
    verdict: compatibilityOf(reasons),
    sides: sidesOf(reasons),
    reasons,
    fields: [],
    values: [],
    methods: [],
  };
}

/** undefined: nothing changed. */
export function changeOf(
  a: Named,
  b: Named,
  reasons: readonly DifferenceReason[],
  { fields = [], values = [], methods = [] }: Partial<Pick<SymbolChange, 'fields' | 'values' | 'methods'>>,
): SymbolChange | undefined {
  const isMoved = a.fullName !== b.fullName;
  const moved = reason(
    b.kind === 'service' ? 'unsafe' : 'conditional',
    b.kind === 'service'
      ? 'The path of every call holds the full name.'
      : 'Messages do not hold names, but an Any and JSON of an Any do.',
  );
  const all = isMoved
    ? [moved, reason('unsafe', 'Generated code has another name or package for it.', 'source'), ...reasons]
    : reasons;
  if (all.length + fields.length + values.length + methods.length === 0) return undefined;
  return {
    type: b.kind,
    kind: isMoved ? 'moved' : 'changed',
    before: a.fullName,
    after: b.fullName,
    verdict: worstOf([compatibilityOf(all), ...[...fields, ...values, ...methods].map(({ verdict }) => verdict)]),
    sides: worstSides([sidesOf(all), ...[...fields, ...values, ...methods].map(({ sides }) => sides)]),
    reasons: all,
    fields,
    values,
    methods,
  };
}
