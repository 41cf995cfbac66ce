/** Full names of types → which one is of the newer version. https://cloud.google.com/apis/design/versioning: `v1alpha`, `v1beta2`, `v1`, `v2` */

const VERSION = /^v(\d+)(?:(alpha|beta)(\d*))?$/;
const STAGES = ['alpha', 'beta', undefined];

/** Below 0: `a` is older, or has no version. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [versionOf(a), versionOf(b)];
  for (let at = 0; at < x.length; at++) if (x[at] !== y[at]) return x[at]! - y[at]!;
  return 0;
}

/** Number, stage and revision of the innermost package that is a version. */
function versionOf(fullName: string): readonly [number, number, number] {
  const found = fullName.split('.').findLast((part) => VERSION.test(part));
  if (found === undefined) return [-1, 0, 0];
  const [, major, stage, revision] = VERSION.exec(found)!;
  return [Number(major), STAGES.indexOf(stage), Number(revision || 0)];
}
