/**
 * The full name of a type → a number that is higher for a newer version: v1alpha, v1beta2, v1, v2. −1: its packages name
 * none. https://google.aip.dev/185
 */
export function versionOf(fullName: string): number {
  const found = /.*\bv(\d+)(alpha|beta)?(\d*)\./.exec(fullName);
  if (found === null) return -1;
  const [, major, stage, revision] = found;
  return Number(major) * 1e6 + (stage === 'alpha' ? 0 : stage === 'beta' ? 1e3 : 2e3) + Number(revision);
}
