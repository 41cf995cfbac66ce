/** Whether a decimal number as it is written is kept by the type that it is read as. */

/** Digits of the mantissa, without zeros around them. */
function digitsOf(text: string): string {
  const [mantissa = ''] = text.toLowerCase().replace(/^-/, '').split('e');
  return mantissa.replace('.', '').replace(/^0+|0+$/g, '');
}

/** Most digits that toPrecision prints. */
const MAX_DIGITS = 100;
/** Any number of so few digits comes back, unless it is near the least one of its type. */
const SAFE = { float: { digits: 6, least: 2 ** -126 }, double: { digits: 15, least: 2 ** -1022 } } as const;

/** Whether digits of the text were lost. @param value the text as the type holds it, finite */
export function isRounded(text: string, value: number, type: 'float' | 'double'): boolean {
  const digits = digitsOf(text);
  const { length } = digits;
  if (length === 0 || (length <= SAFE[type].digits && Math.abs(value) >= SAFE[type].least)) return false;
  if (length >= MAX_DIGITS) return true;
  return digitsOf(value.toPrecision(length)) !== digits && belowHalf(value, length) !== digits;
}

/** The digits below a value that is halfway between two numbers of this length: toPrecision gives those above. */
function belowHalf(value: number, length: number): string | null {
  const half = digitsOf(value.toPrecision(length + 1));
  const isHalf = half.length === length + 1 && half.endsWith('5') && digitsOf(value.toPrecision(MAX_DIGITS)) === half;
  return isHalf ? half.slice(0, -1).replace(/0+$/, '') : null;
}
