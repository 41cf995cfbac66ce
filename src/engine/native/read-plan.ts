/**
 * A message's layout as a sequence of steps for reading. The facts that the loop in `read.ts` needs of each field are
 * looked up once.
 */
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { sizingField } from './condition.ts';
import type { Choice, Condition, FieldLayout, IntForm, LayoutOf, MessageLayout, SizedBy } from './layout.ts';

/** Operations on a value. */
export const Op = {
  FIXED: 0,
  VARINT: 1,
  BOOL: 2,
  /** A length in UTF-16 units, followed by the units, 1 to 3 bytes each. */
  UNITS: 3,
  /** A length in bytes, followed by the bytes. */
  SIZED: 4,
  REST: 5,
  CONTENT: 6,
  MESSAGE: 7,
  NONE: 8,
  CHOICE: 9,
  /** An integer in another form than the two above. */
  INT: 10,
  /** Bytes whose number another field gives. */
  COUNTED: 11,
  /** Text that ends at a zero byte. */
  ENDED: 12,
} as const;

/** How `skim.ts` skips a value, or each element, if it is not unusual. */
export const Skimmed = {
  /** Nothing is skipped, not even a flag or count. */
  NEVER: 0,
  FIXED: 1,
  VARINT: 2,
  BOOL: 3,
  UNITS: 4,
  SIZED: 5,
  /** Only a flag or count that means absence is read. */
  ABSENT: 6,
} as const;

/** The form of a length or count that can be skimmed. */
export const Prefix = { NONE: 0, VINT: 1, INT: 2 } as const;

export interface ReadStep {
  readonly op: number;
  /** One of Skimmed. */
  readonly skimmed: number;
  /** The forms of its length and of its count, each one of Prefix. */
  readonly lengthPrefix: number;
  readonly countPrefix: number;
  /** undefined: the step is a choice. */
  readonly layout: FieldLayout | undefined;
  readonly isFlagged: boolean;
  /** Whether the value is absent if the message ends before it. */
  readonly mayEnd: boolean;
  readonly isList: boolean;
  /** FIXED: bytes of a value. VARINT: maximum bytes of a value. BOOL: the largest value. */
  readonly size: number;
  /** The form of the length of a SIZED or UNITS value, or of a nested blob. */
  readonly length: IntForm | undefined;
  /** The length that means absence: −1, 0, or −2 for no such length. */
  readonly absentLength: number;
  /** The length or count is written plus one. */
  readonly isOneMore: boolean;
  readonly child: MessageDescriptor | undefined;
  readonly choice: Choice | undefined;
  readonly members: ReadonlyMap<number | string, ReadStep> | undefined;
  /** The member for all numbers that no other member has. */
  readonly otherwise: ReadStep | undefined;
  readonly when: Condition | undefined;
  /** Index, among the values that the frame keeps, of the value that this step depends on. */
  readonly whenAt: number;
  /** The source of the number of bytes or elements, and its index among the kept values. */
  readonly sizedBy: SizedBy | undefined;
  readonly sizedAt: number;
  /** Index of this field's value among the kept values; −1: nothing depends on it. */
  readonly keepAt: number;
  /** Whether an element takes at least one byte; undefined: not determined yet. */
  takesBytes: boolean | undefined;
  /** Index of the field in the table of the read number `stamp`. */
  index: number;
  /** The plan of the step's message in that read; undefined: not determined yet. */
  inner: ReadPlan | undefined;
  stamp: number;
}

export interface ReadPlan {
  /** Name of the message. */
  readonly name: string;
  readonly steps: readonly ReadStep[];
  /** Number of values that later fields depend on. */
  readonly kept: number;
}

const plans = new WeakMap<MessageLayout, ReadPlan>();

export function readPlanOf(layout: MessageLayout): ReadPlan {
  let plan = plans.get(layout);
  if (plan === undefined) {
    plan = makePlan(layout);
    plans.set(layout, plan);
  }
  return plan;
}

function makePlan({ message, fields }: MessageLayout): ReadPlan {
  const kept: FieldDescriptor[] = [];
  for (const layout of fields) {
    const { when, choice } = layout;
    for (const field of [when?.field, choice?.when?.field, sizingField(sizeOf(layout))]) {
      if (field !== undefined && !kept.includes(field)) kept.push(field);
    }
  }
  const steps: ReadStep[] = [];
  const choices = new Set<Choice>();
  for (const layout of fields) {
    const { choice } = layout;
    if (choice === undefined) {
      steps.push(stepOf(layout, kept));
      continue;
    }
    if (choices.has(choice)) continue;
    choices.add(choice);
    steps.push(
      choiceStep(
        choice,
        fields.filter((member) => member.choice === choice),
        kept,
      ),
    );
  }
  return { name: message.name, steps, kept: kept.length };
}

const BLANK: ReadStep = {
  op: Op.NONE,
  skimmed: Skimmed.NEVER,
  lengthPrefix: Prefix.NONE,
  countPrefix: Prefix.NONE,
  layout: undefined,
  isFlagged: false,
  mayEnd: false,
  isList: false,
  size: 0,
  length: undefined,
  absentLength: -2,
  isOneMore: false,
  child: undefined,
  choice: undefined,
  members: undefined,
  otherwise: undefined,
  when: undefined,
  whenAt: -1,
  sizedBy: undefined,
  sizedAt: -1,
  keepAt: -1,
  takesBytes: undefined,
  index: -1,
  inner: undefined,
  stamp: -1,
};

const sizeOf = ({ form, sizedBy }: FieldLayout): SizedBy | undefined =>
  sizedBy ?? (form.kind === 'sized' ? form.by : undefined);

function choiceStep(choice: Choice, members: readonly FieldLayout[], kept: readonly FieldDescriptor[]): ReadStep {
  const steps = new Map(members.map((member) => [member.field, stepOf(member, kept)]));
  const byKey = new Map<number | string, ReadStep>();
  for (const [key, field] of [...choice.byNumber, ...choice.byName]) {
    const step = steps.get(field);
    if (step !== undefined) byKey.set(key, step);
  }
  return {
    ...BLANK,
    op: Op.CHOICE,
    choice,
    members: byKey,
    otherwise: choice.otherwise && steps.get(choice.otherwise),
    when: choice.when,
    whenAt: choice.when === undefined ? -1 : kept.indexOf(choice.when.field),
  };
}

function stepOf(layout: FieldLayout, kept: readonly FieldDescriptor[]): ReadStep {
  const step = plainStepOf(layout, kept);
  return {
    ...step,
    lengthPrefix: prefixOf(step.length),
    countPrefix: layout.inBlocks === true ? Prefix.NONE : prefixOf(layout.count),
    skimmed: skimmedOf(step),
  };
}

function prefixOf(form: IntForm | undefined): number {
  if (form?.kind === 'varint' && form.bits === 32 && !form.zigzag && form.more === undefined) return Prefix.VINT;
  return form?.kind === 'fixed' && form.bytes === 4 && form.order === 'big' ? Prefix.INT : Prefix.NONE;
}

function skimmedOf({ op, layout, keepAt, length }: ReadStep): number {
  const { form, flag, sizedBy, absence } = layout!;
  if (keepAt >= 0 || (flag ?? sizedBy) !== undefined || absence === 'minus' || absence === 'end') return Skimmed.NEVER;
  if (op === Op.FIXED) return Skimmed.FIXED;
  if (op === Op.VARINT) return Skimmed.VARINT;
  if (op === Op.BOOL) return Skimmed.BOOL;
  const isPadded = (form.kind === 'string' || form.kind === 'bytes') && form.padding !== undefined;
  if ((op === Op.UNITS || op === Op.SIZED) && prefixOf(length) !== Prefix.NONE && !isPadded) {
    return op === Op.UNITS ? Skimmed.UNITS : Skimmed.SIZED;
  }
  return Skimmed.ABSENT;
}

function plainStepOf(layout: FieldLayout, kept: readonly FieldDescriptor[]): ReadStep {
  const { field, form, absence, count, when } = layout;
  const isList = count !== undefined;
  const sizedBy = sizeOf(layout);
  const step = {
    ...BLANK,
    layout,
    isFlagged: absence === 'flag' || absence === 'minus',
    mayEnd: absence === 'end',
    isList,
    isOneMore: absence === 'length+1',
    when,
    whenAt: when === undefined ? -1 : kept.indexOf(when.field),
    sizedBy,
    sizedAt: kept.indexOf(sizingField(sizedBy)!),
    keepAt: kept.indexOf(field),
    absentLength: absence === 'sentinel' && !isList ? -1 : absence === 'length+1' && !isList ? 0 : -2,
  };
  switch (form.kind) {
    case 'int':
      return form.form.kind === 'fixed'
        ? { ...step, op: Op.FIXED, size: form.form.bytes }
        : form.form.kind === 'varint'
          ? { ...step, op: Op.VARINT, size: form.form.bits === 32 ? 5 : 10 }
          : { ...step, op: Op.INT, size: 1 };
    case 'float':
      return { ...step, op: Op.FIXED, size: form.bytes };
    case 'bool':
      return { ...step, op: Op.BOOL, size: absence === 'tristate' ? 2 : 1 };
    case 'string':
    case 'bytes': {
      const isUnits = form.kind === 'string' && form.unit === 'utf16';
      return { ...step, op: isUnits ? Op.UNITS : Op.SIZED, length: form.length };
    }
    case 'ended':
      return { ...step, op: Op.ENDED };
    case 'rest':
      return { ...step, op: Op.REST };
    case 'sized':
      return { ...step, op: Op.COUNTED };
    case 'content':
      return { ...step, op: Op.CONTENT, child: form.message };
    case 'message':
      return { ...step, op: Op.MESSAGE, child: field.message, length: form.length };
    case 'none':
      return step;
  }
}

/** Whether an element takes at least one byte, so that the remaining bytes limit the number of elements. */
export function takesBytes(step: ReadStep, layoutOf: LayoutOf): boolean {
  step.takesBytes ??= neverEmpty(step, layoutOf);
  return step.takesBytes;
}

function neverEmpty({ op, child, length }: ReadStep, layoutOf: LayoutOf): boolean {
  if (op === Op.NONE || op === Op.REST || op === Op.COUNTED) return false;
  if (child === undefined || length !== undefined) return true;
  return !mayBeEmpty(layoutOf(child), layoutOf, new Set());
}

function mayBeEmpty(layout: MessageLayout, layoutOf: LayoutOf, seen: Set<MessageLayout>): boolean {
  if (seen.has(layout)) return false;
  seen.add(layout);
  return readPlanOf(layout).steps.every((step) => {
    if (step.when !== undefined || step.sizedBy !== undefined || step.op === Op.REST || step.op === Op.NONE)
      return true;
    if (step.mayEnd) return true;
    if (step.isFlagged || step.isList || step.child === undefined || step.length !== undefined) return false;
    return mayBeEmpty(layoutOf(step.child), layoutOf, seen);
  });
}
