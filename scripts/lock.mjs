/**
 * package-lock.json → the same with an entry for every platform binary its packages name.
 *
 * A registry mirror may lack binaries of other platforms; npm then leaves them out of the lock, and `npm ci`
 * refuses such a lock everywhere ("Missing … from lock file"). An entry needs only what npm decides by: exact version,
 * os, cpu, libc. npm runs this after every install (the `dependencies` script); `--check` only reports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ version?: string, resolved?: string, dev?: boolean, optional?: boolean, cpu?: string[], os?: string[],
 *   libc?: string[], optionalDependencies?: Record<string, string> }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * `@biomejs/cli-linux-x64-musl` → os linux, cpu x64, libc musl.
 * @param {string} name
 * @returns {Pick<LockEntry, 'os' | 'cpu' | 'libc'>}
 */
export function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => OS.includes(word));
  const cpu = words.filter((word) => CPU.includes(word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((w) => w.startsWith('gnu'))
      ? ['glibc']
      : [];
  return { ...(cpu.length && { cpu }), ...(os.length && { os }), ...(libc.length && { libc }) };
}

/**
 * Where Node would look for `name` from the package at `location`, innermost first.
 * @param {string} location
 * @param {string} name
 */
function places(location, name) {
  const found = [];
  for (let at = location; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    found.push(`${at}/node_modules/${name}`);
  }
  return [...found, `node_modules/${name}`];
}

/**
 * The lock with all optional entries, and what was wrong with it: names without an entry, and download addresses, which
 * would tie a checkout to one registry.
 * @param {Lock} lock
 * @returns {{ lock: Lock, faults: string[] }}
 */
export function complete(lock) {
  /** @type {Record<string, LockEntry>} */
  const packages = {};
  /** @type {string[]} */
  const faults = [];
  for (const [location, entry] of Object.entries(lock.packages)) {
    const { resolved, ...rest } = entry;
    if (resolved !== undefined) faults.push(`${location} has a download address`);
    packages[location] = rest;
  }
  for (const [location, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (places(location, name).some((place) => place in packages)) continue;
      faults.push(`${name}@${version} has no entry`);
      // A range cannot be resolved without the registry. Binaries are named by their exact version.
      if (!/^\d+\.\d+\.\d+\S*$/.test(version)) continue;
      const { cpu, libc, os } = platformOf(name);
      // In the order npm writes them, so that its next write changes nothing.
      packages[`node_modules/${name}`] = {
        version,
        ...(cpu && { cpu }),
        ...(entry.dev && { dev: true }),
        ...(libc && { libc }),
        optional: true,
        ...(os && { os }),
      };
    }
  }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  return { lock: { ...lock, packages: sorted }, faults };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const path = new URL('../package-lock.json', import.meta.url);
  const { lock, faults } = complete(JSON.parse(readFileSync(path, 'utf8')));
  if (faults.length === 0) process.exit(0);
  if (process.argv.includes('--check')) {
    console.error(`package-lock.json: ${faults.join('\n  ')}\nRun: node scripts/lock.mjs`);
    process.exit(1);
  }
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  console.error(`package-lock.json: ${faults.length} entries completed`);
}
