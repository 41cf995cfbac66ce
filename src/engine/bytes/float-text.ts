/** Floating-point values as text: the shortest decimal that reads back as the same bits, as in Java and JavaScript. */

export function printDouble(value: number, bytes: Uint8Array, start: number): string {
  if (Number.isNaN(value)) return printNaN(bytes, start, 8, '7ff8000000000000');
  return Object.is(value, -0) ? '-0' : String(value);
}

export function printFloat(value: number, bytes: Uint8Array, start: number): string {
  if (Number.isNaN(value)) return printNaN(bytes, start, 4, '7fc00000');
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) !== value) continue;
    // toPrecision gives the larger of two numbers that are equally near, and other languages print the even one.
    const half = value.toExponential(digits);
    const even = half.replace(/([02468]\.?)5(?=e)/, '$1');
    return String(even !== half && Number(half) === value ? Number(even) : short);
  }
  return String(Number(value.toPrecision(9)));
}

/** A NaN other than the usual one is printed with its bits. */
function printNaN(bytes: Uint8Array, start: number, size: number, usual: string): string {
  let bits = '';
  for (let p = start + size - 1; p >= start; p--) bits += bytes[p]!.toString(16).padStart(2, '0');
  return bits === usual ? 'NaN' : `NaN (${bits})`;
}
