/**
 * A checkout → one that can run: the right Node, the packages of the lock, with `--browser` a Chromium. Runs before the
 * other scripts, so it imports nothing that has to be installed, does nothing when nothing is missing, and leaves
 * standard output to them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { CHROMIUM_MISSING, findChromium } from './chromium.mjs';

const root = new URL('../', import.meta.url);

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

/** @param {string} command @param {string[]} args */
function run(command, ...args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  return status === 0;
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

function checkNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '');
  const [major = 0, minor = 0] = wanted.split('.').map(Number);
  const [hasMajor = 0, hasMinor = 0] = process.versions.node.split('.').map(Number);
  if (hasMajor < major || (hasMajor === major && hasMinor < minor)) {
    fail(`Wirecost needs Node ${wanted} or later; this is ${process.versions.node}. See https://nodejs.org/`);
  }
}

/** npm keeps a lock of what is installed in node_modules; it must agree with ours but for other platforms' binaries. */
function packagesAreInstalled() {
  if (!existsSync(new URL('node_modules/.package-lock.json', root))) return false;
  const installed = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(readJson('package-lock.json').packages).every(
    ([location, { version, optional }]) =>
      location === '' || (installed[location] ? installed[location].version === version : optional),
  );
}

function installPackages() {
  console.error('Installing packages (npm ci) …');
  if (!run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')) {
    fail('npm ci failed; its messages are above. With a registry of your own: npm config set registry ADDRESS');
  }
}

/** Only root may install for the whole system without being asked; for other users it prints the command. */
function installChromium() {
  if (process.getuid?.() === 0 && !process.env['CHROMIUM_PATH'] && existsSync('/usr/bin/apt-get')) {
    console.error('Installing Chromium (apt-get install chromium-headless-shell) …');
    process.env['DEBIAN_FRONTEND'] = 'noninteractive';
    const install = ['install', '-q', '-y', '--no-install-recommends'];
    run('apt-get', 'update', '-q');
    // Some releases do not have the package without windows.
    if (!run('apt-get', ...install, 'chromium-headless-shell')) run('apt-get', ...install, 'chromium');
  }
  // A warning: the other tests still run, and the end-to-end step fails with the same words.
  if (!findChromium()) console.error(`\n${CHROMIUM_MISSING}\n`);
}

checkNode();
if (!packagesAreInstalled()) installPackages();
if (process.argv.includes('--browser') && !findChromium()) installChromium();
