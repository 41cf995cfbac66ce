/**
 * Messages and their schema → proposals for changes. Each proposal is measured: the descriptors are changed, and the
 * messages are converted, written, read back to the original values, and compressed.
 */
import type { Registry } from '../schema/descriptor.ts';
import type { Advice, AdviceEffect, AdviceProgress, AdviceSubject, Baseline, MeasuredChanges } from './advice.ts';
import { type AppliedChanges, applyChanges, mapBack, mapForward } from './apply.ts';
import {
  type Change,
  type Compatibility,
  EFFORTS,
  type Effort,
  ImpossibleChange,
  type NumberChange,
  type Reason,
} from './change.ts';
import { compressorsOf, isAbovePlain, rankingOf, timeOf } from './changed-compressors.ts';
import { kindOf } from './changes/changes.ts';
import { worstCompatibility } from './changes/type-compatibility.ts';
import { isWithoutAny, losslessWasteOf } from './changes/written.ts';
import { editsOf, newNumbers } from './edits-of.ts';
import { FieldEncodings } from './forms.ts';
import {
  difference,
  joinUnits,
  leftBy,
  type MeasuringCompressor,
  measureUnits,
  type Noise,
  noiseOf,
  shiftedSizes,
  shiftsFor,
} from './measure.ts';
import { joinUnit, type Unit } from './payload.ts';
import { dictionaries, otherCompressors } from './proposals/other-compressors.ts';
import type { Proposal } from './proposals/proposal.ts';
import { PROPOSALS } from './proposals/proposals.ts';
import { writers } from './proposals/writers.ts';
import { readTree } from './read-tree.ts';
import { leaveOut } from './rewrite.ts';
import { FieldValues } from './uses.ts';
import type { TreeNode } from './value-tree.ts';
import { writeTree } from './write-tree.ts';
import { LOSSLESS_WASTE } from './writer-rules.ts';

interface TreeUnit {
  readonly delimiter: Unit['delimiter'];
  readonly trees: readonly TreeNode[];
}

/** Maximum bytes for trying every compressor: one of them takes 4 s for 9 MB, and runs four times for its noise. */
const MAX_FOR_ALL = 1 << 20;

/**
 * The memory of all values: some bytes, and a number for each byte of the messages. A change holds them three times:
 * as they were, changed, and read back.
 */
const ROOM_FIXED = 24 << 20;
const ROOM_PER_BYTE = 11;

/** Several sets may have a change in common. */
const unique = (changes: readonly Change[]): readonly Change[] => [
  ...new Map(changes.map((change) => [JSON.stringify(change), change])).values(),
];

const writeUnits = (units: readonly TreeUnit[], forms: FieldEncodings): readonly Unit[] =>
  units.map(({ delimiter, trees }) => {
    return { delimiter, messages: trees.map((tree) => writeTree(tree, forms).bytes) };
  });

/** One type's messages, read once. Proposals and sets of changes are measured with them. */
export class Advisor {
  readonly baseline: Baseline;
  readonly forms: FieldEncodings;
  readonly #subject: AdviceSubject;
  readonly #units: readonly TreeUnit[];
  readonly #before: readonly Uint8Array[];
  readonly #captured: readonly Unit[];
  readonly #shifted = new Map<string, readonly number[]>();

  // biome-ignore lint/style/useConsistentMemberAccessibility: a constructor cannot be private with #
  private constructor(
    subject: AdviceSubject,
    forms: FieldEncodings,
    units: readonly TreeUnit[],
    before: readonly Uint8Array[],
    captured: readonly Unit[],
    baseline: Baseline,
  ) {
    this.#subject = subject;
    this.forms = forms;
    this.#units = units;
    this.#before = before;
    this.#captured = captured;
    this.baseline = baseline;
  }

  static async open(subject: AdviceSubject): Promise<Advisor> {
    const { registry, type, compressors } = subject;
    const forms = new FieldEncodings(registry);
    const bytes = subject.units.reduce(
      (sum, { messages }) => sum + messages.reduce((all, { length }) => all + length, 0),
      0,
    );
    const room = { left: ROOM_FIXED + ROOM_PER_BYTE * bytes };
    let [unread, tooLarge] = [0, 0];
    const readWithin = (message: Uint8Array): TreeNode | undefined => {
      const { left } = room;
      const tree = readTree(message, forms, type, room);
      if (tree === undefined) {
        if (room.left < 0) tooLarge++;
        else unread++;
        room.left = left;
      }
      return tree;
    };
    const captured: Unit[] = [];
    const units: TreeUnit[] = [];
    for (const { delimiter, messages } of subject.units) {
      const read = messages.map(readWithin);
      const sound = messages.filter((_, at) => read[at] !== undefined);
      if (sound.length === 0) continue;
      captured.push({ delimiter, messages: sound });
      units.push({ delimiter, trees: read.filter((tree) => tree !== undefined) });
    }
    const before = writeUnits(units, forms).map(joinUnit);
    const measure = await measureUnits(before, compressors);
    const asCaptured = joinUnits(captured);
    const isSame = asCaptured.every((bytes, at) => sameBytes(bytes, before[at]!));
    return new Advisor(subject, forms, units, before, captured, {
      before: measure,
      captured: isSame ? measure : await measureUnits(asCaptured, compressors),
      measured: units.reduce((sum, { trees }) => sum + trees.length, 0),
      pieces: units.length,
      unread,
      tooLarge,
    });
  }

  /** The messages written in canonical order, which all changes are compared in. */
  get messages(): readonly Uint8Array[] {
    return this.trees.map((tree) => writeTree(tree, this.forms).bytes);
  }

  /** The same messages as they were captured. */
  get captured(): readonly Unit[] {
    return this.#captured;
  }

  /** The captured messages as short as a writer can make them: each without its waste, or written anew. */
  get shortest(): readonly Unit[] {
    const { units } = leaveOut(this.#captured, this.forms, this.#subject.type, LOSSLESS_WASTE);
    const anew = writeUnits(this.#units, this.forms);
    return units.map(({ delimiter, messages }, unit) => ({
      delimiter,
      messages: messages.map((message, at) => {
        const other = anew[unit]!.messages[at]!;
        return other.length < message.length ? other : message;
      }),
    }));
  }

  get trees(): readonly TreeNode[] {
    return this.#units.flatMap(({ trees }) => trees);
  }

  /** @throws ImpossibleChange */
  async measure(changes: readonly Change[]): Promise<MeasuredChanges> {
    const made = await this.#make(changes);
    this.#proveWayBack(made);
    return made;
  }

  /**
   * The fewest of some sets of changes that cannot be made together: without any one of them, the others can be.
   * Empty: all can be made, or it would take too long to find out.
   */
  clashing<T extends { readonly changes: readonly Change[] }>(sets: readonly T[]): readonly T[] {
    const isRefused = (some: readonly T[], mayRewrite: boolean): boolean => {
      try {
        const applied = applyChanges(unique(some.flatMap(({ changes }) => changes)), this.forms, this.#subject.type);
        if (mayRewrite) for (const { trees } of this.#units) for (const tree of trees) mapForward(tree, applied);
        return false;
      } catch (error) {
        if (error instanceof ImpossibleChange) return true;
        throw error;
      }
    };
    const mayRewrite = !isRefused(sets, false);
    if (mayRewrite && (this.baseline.before.bytes > MAX_FOR_ALL || !isRefused(sets, true))) return [];
    let left = sets;
    for (const one of sets) {
      const others = left.filter((other) => other !== one);
      if (isRefused(others, mayRewrite)) left = others;
    }
    return left;
  }

  /**
   * Applies the changes with the present field numbers, and as they are deployed. The conversion back is not verified
   * here.
   */
  async #make(asked: readonly Change[]): Promise<MeasuredChanges> {
    const applied = applyChanges(asked, this.forms, this.#subject.type);
    const { changes } = applied;
    const mapped = this.#units.map(({ delimiter, trees }) => {
      return { delimiter, trees: trees.map((tree) => mapForward(tree, applied)) };
    });
    const written = changes.filter((change) => change.change === 'written');
    // After a schema change, messages are written again, without the waste of the captured ones.
    const isSame = written.length > 0 && written.length === changes.length;
    const units = !isSame
      ? writeUnits(mapped, applied.after)
      : written.some(isWithoutAny)
        ? this.shortest
        : leaveOut(this.#captured, this.forms, this.#subject.type, written.map(losslessWasteOf)).units;
    const against: Advice['against'] = written.length > 0 ? 'captured' : 'before';
    const joined = joinUnits(units);
    const after = await measureUnits(joined, await compressorsOf(this.#subject, changes, joined));
    const saved = difference(this.baseline[against], after);
    const made = {
      applied,
      against,
      units,
      after,
      saved,
      compatibility: compatibilityOf(applied),
      effort: effortOf(applied),
    };
    const { moves, reserved } = newNumbers(changes, this.forms, applied.after);
    const present = { moves, after, saved, units, forms: applied.after };
    // Only numbers change, so the values are already converted.
    const deployed = moves.length === 0 ? present : await this.#moved(mapped, changes, moves, against);
    return { ...made, deployed, edits: { ...editsOf(this.forms, deployed.forms), reserved } };
  }

  /** The same values, in fields with new numbers. */
  async #moved(
    mapped: readonly TreeUnit[],
    changes: readonly Change[],
    moves: readonly NumberChange[],
    against: Advice['against'],
  ): Promise<MeasuredChanges['deployed']> {
    const { after: forms } = applyChanges([...changes, ...moves], this.forms, this.#subject.type);
    const units = writeUnits(mapped, forms);
    const joined = joinUnits(units);
    const after = await measureUnits(joined, await compressorsOf(this.#subject, changes, joined));
    return { moves, after, saved: difference(this.baseline[against], after), units, forms };
  }

  /**
   * Reads the messages with the changed forms, converts them back, and writes them with the old forms. The bytes must
   * be the same. @throws ImpossibleChange
   */
  #proveWayBack({ units, applied }: Pick<MeasuredChanges, 'units' | 'applied'>): void {
    units.forEach(({ delimiter, messages }, at) => {
      const restored = messages.map((bytes) => {
        const tree = readTree(bytes, applied.after, applied.afterRoot);
        if (tree === undefined) throw new ImpossibleChange('What was written cannot be read with the changed schema');
        return writeTree(mapBack(tree, applied), this.forms).bytes;
      });
      if (!sameBytes(joinUnit({ delimiter, messages: restored }), this.#before[at]!)) {
        throw new ImpossibleChange('Not every value comes back');
      }
    });
  }

  /** The random variation of a compressor's saving. */
  async #noise(
    {
      units,
      after,
      against = 'before',
    }: Pick<MeasuredChanges, 'units' | 'after'> & Partial<Pick<MeasuredChanges, 'against'>>,
    compressor: MeasuringCompressor,
    changed = compressor,
  ): Promise<Noise> {
    const { id } = compressor;
    // A plain size does not vary. Bytes in front of it would count as they are.
    if (changed.isPlain) return { band: 0, median: this.baseline[against].compressed[id]! - after.bytes };
    const [key, from] = [`${against} ${id}`, this.baseline[against].compressed[id]!];
    // Shift 0 is already measured.
    const [, ...shifts] = shiftsFor(this.baseline.before.bytes);
    let before = this.#shifted.get(key);
    if (before === undefined) {
      const units = against === 'before' ? this.#before : joinUnits(this.#captured);
      before = [from, ...(await shiftedSizes(units, compressor, shifts))];
      this.#shifted.set(key, before);
    }
    const shifted = await shiftedSizes(joinUnits(units), changed, shifts);
    return noiseOf(before, [after.compressed[id]!, ...shifted]);
  }

  /**
   * Every possible proposal, one by one. A proposal whose values cannot be converted back is left out. A change that
   * saves raw bytes is yielded twice: first at once, and again when its conversion back is verified and its noise is
   * measured.
   */
  async *proposals(): AsyncGenerator<AdviceProgress, void> {
    const { type, rankedBy, others } = this.#subject;
    const { before, captured } = this.baseline;
    const uses = new FieldValues(this.trees, this.forms, type);
    // Each kind is searched for after the previous ones are measured, so that the first advice does not wait for the
    // last.
    const kinds: readonly (() => readonly Proposal[])[] = [
      // Messages that are written again have no waste.
      () => (captured.bytes > before.bytes ? writers : []),
      ...PROPOSALS.map((propose) => () => propose(uses)),
      () =>
        rankedBy === undefined || before.bytes > MAX_FOR_ALL
          ? []
          : [...dictionaries(rankedBy, this.#before), ...otherCompressors(rankedBy, Object.keys(others ?? {}))],
    ];
    const total = kinds.length;
    const known = new Set<string>();
    for (const [done, propose] of kinds.entries()) {
      for (const { title, changes, isCounterfactual = false } of propose()) {
        const key = JSON.stringify(changes.map((change) => JSON.stringify(change)).sort());
        if (known.has(key)) continue;
        known.add(key);
        const made = await unlessImpossible(() => this.#make(changes));
        if (made !== undefined && isAbovePlain(changes, made.after)) continue;
        const first = made && this.#row(title, made, isCounterfactual, undefined);
        if (first?.isWon && !first.isSettled) yield { done, total, advice: first };
        const advice = made && (await unlessImpossible(() => this.#proven(title, made, isCounterfactual)));
        const isShown = advice !== undefined && (advice.isWon || isCounterfactual);
        yield { done, total, advice: isShown ? advice : undefined };
      }
      yield { done: done + 1, total, advice: undefined };
    }
  }

  #proven(title: string, made: MeasuredChanges, isCounterfactual: boolean): Promise<Advice> {
    this.#proveWayBack(made);
    return this.adviceOn(title, made, isCounterfactual);
  }

  async adviceOn(title: string, measured: MeasuredChanges, isCounterfactual = false): Promise<Advice> {
    const ranking = this.#ranking;
    const { against, deployed } = measured;
    const { changes } = measured.applied;
    const units = joinUnits(deployed.units);
    const compressors = await compressorsOf(this.#subject, changes, units);
    const changed = compressors.find(({ id }) => id === ranking?.id);
    const noise = ranking && (await this.#noise({ ...deployed, against }, ranking, changed));
    const time = await timeOf(this.#subject, changes, units);
    return { ...this.#row(title, measured, isCounterfactual, noise), ...(time === undefined ? {} : { time }) };
  }

  /** An advisor for the same messages in another schema. @param carry converts a message to the other schema */
  async carried(registry: Registry, forms: FieldEncodings, carry: (tree: TreeNode) => TreeNode): Promise<Advisor> {
    const units = this.#units.map(({ delimiter, trees }) => ({ delimiter, trees: trees.map(carry) }));
    return Advisor.open({ ...this.#subject, registry, units: writeUnits(units, forms) });
  }

  /** Compares differently written messages with these. @param changes the ones that concern compressors are applied */
  async compared(units: readonly Unit[], changes: readonly Change[]): Promise<AdviceEffect> {
    const joined = joinUnits(units);
    const compressors = await compressorsOf(this.#subject, changes, joined);
    const after = await measureUnits(joined, compressors);
    const ranking = this.#ranking;
    const changed = compressors.find(({ id }) => id === ranking?.id);
    const noise = ranking && (await this.#noise({ units, after }, ranking, changed));
    return {
      after,
      saved: difference(this.baseline.before, after),
      noise: ranking === undefined ? {} : { [ranking.id]: noise!.band },
    };
  }

  get #ranking(): MeasuringCompressor | undefined {
    return rankingOf(this.#subject);
  }

  #row(title: string, measured: MeasuredChanges, isCounterfactual: boolean, noise: Noise | undefined): Advice {
    const { applied, against, after, saved, compatibility, effort, edits } = measured;
    const { moves, ...deployed } = measured.deployed;
    const ranking = this.#ranking;
    const left = leftBy(deployed.saved, ranking?.id);
    const band = noise?.band ?? 0;
    return {
      id: 0,
      title,
      changes: applied.changes,
      against,
      after,
      saved,
      noise: ranking === undefined || noise === undefined ? {} : { [ranking.id]: band },
      deployed: { moves, after: deployed.after, saved: deployed.saved },
      edits,
      compatibility,
      effort,
      isCounterfactual: isCounterfactual && left <= band,
      isNoDifference: Math.abs(left) <= band,
      isWon: [saved, deployed.saved].some((one) => one.bytes > 0 || leftBy(one, ranking?.id) > band),
      signsDiffer: ranking !== undefined && left * deployed.saved.bytes < 0,
      isSettled: ranking === undefined || noise !== undefined,
    };
  }
}

/** undefined: the change is impossible. */
async function unlessImpossible<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ImpossibleChange) return undefined;
    throw error;
  }
}

function compatibilityOf({ changes, steps }: AppliedChanges): Compatibility {
  const all = changes.map((change, at) => kindOf(change).compatibility(change, steps[at]!.before));
  const reasons = new Map<string, Reason>();
  for (const reason of all.flatMap((one) => one.reasons)) reasons.set(`${reason.about} ${reason.text}`, reason);
  return {
    binary: worstCompatibility(...all.map(({ binary }) => binary)),
    json: worstCompatibility(...all.map(({ json }) => json)),
    source: worstCompatibility(...all.map(({ source }) => source)),
    reasons: [...reasons.values()],
  };
}

function effortOf({ changes, steps }: AppliedChanges): Effort {
  const efforts = changes.map((change, at) => EFFORTS.indexOf(kindOf(change).effort(change, steps[at]!.before)));
  return EFFORTS[Math.max(0, ...efforts)]!;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
