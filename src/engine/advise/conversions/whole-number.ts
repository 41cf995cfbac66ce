/** The value if it is a nonzero integer below 2⁵³ in magnitude; otherwise undefined. */
export const wholeOf = (value: number): number | undefined =>
  value !== 0 && Number.isSafeInteger(value) ? value : undefined;
