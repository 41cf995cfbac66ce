/** Versions of a native stream as comparable numbers: `2.13.0`, or `9` if the protocol counts its versions. */

/** Later than all versions. */
export const NEWEST = Number.POSITIVE_INFINITY;

const VERSION = /^(\d{1,3})(?:\.(\d{1,2})(?:\.(\d{1,2}))?)?$/;

/** `2.13.0`; for NEWEST, `the newest version`. */
export const printLayoutVersion = (version: number): string =>
  version === NEWEST
    ? 'the newest version'
    : `${Math.floor(version / 10_000)}.${Math.floor(version / 100) % 100}.${version % 100}`;

/** @returns undefined if the text is not a version */
export function parseVersion(text: string): number | undefined {
  const [, major, minor, patch] = VERSION.exec(text) ?? [];
  return major === undefined ? undefined : (Number(major) * 100 + Number(minor ?? 0)) * 100 + Number(patch ?? 0);
}
