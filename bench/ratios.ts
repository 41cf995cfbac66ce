/** Interleaved rounds of CPU time → each contestant's speed as a multiple of the first one's. */

export interface Contestant {
  readonly name: string;
  /** Goes over the whole payload once. The result is kept, so that no work can be optimised away. */
  readonly run: () => number;
}

export interface Standing {
  readonly name: string;
  /** Median, in microseconds of CPU for one run. */
  readonly time: number;
  /** Speed over the first contestant's in the same round: 2 is twice as fast. */
  readonly ratio: { readonly p10: number; readonly median: number; readonly p90: number };
}

/** Linear between the closest ranks. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** `times[contestant][round]`, in any unit. */
export function standings(names: readonly string[], times: readonly (readonly number[])[]): readonly Standing[] {
  return names.map((name, index) => {
    const ratios = times[index]!.map((time, round) => times[0]![round]! / time);
    return {
      name,
      time: quantile(times[index]!, 0.5),
      ratio: { p10: quantile(ratios, 0.1), median: quantile(ratios, 0.5), p90: quantile(ratios, 0.9) },
    };
  });
}

/** CPU time of this process, in microseconds: other processes do not count, its own garbage collector does. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const WARM_UP_ROUNDS = 5;
/** A run shorter than this is repeated: the clock of CPU time is coarse. */
const LEAST_MICROSECONDS = 20_000;

let kept = 0;

/** @param clock microseconds */
function timeOf(run: () => number, repeats: number, clock: () => number): number {
  const start = clock();
  for (let i = 0; i < repeats; i++) kept = (kept + run()) | 0;
  return (clock() - start) / repeats;
}

/**
 * Every round runs all contestants, each time beginning with another, so that drift and neighbours hit all alike.
 *
 * @param clock microseconds
 */
export function race(contestants: readonly Contestant[], rounds: number, clock = cpuTime): readonly Standing[] {
  const repeats = contestants.map(({ run }) => {
    for (let round = 0; round < WARM_UP_ROUNDS; round++) timeOf(run, 1, clock);
    return Math.max(1, Math.ceil(LEAST_MICROSECONDS / Math.max(1, timeOf(run, 3, clock))));
  });
  const times = contestants.map(() => new Array<number>(rounds).fill(0));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const index = (round + turn) % contestants.length;
      times[index]![round] = timeOf(contestants[index]!.run, repeats[index]!, clock);
    }
  }
  if (Number.isNaN(kept)) throw new Error('unreachable: the sum of the runs is a number');
  return standings(
    contestants.map(({ name }) => name),
    times,
  );
}
