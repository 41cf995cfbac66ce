import { describe, expect, test } from 'vitest';
import { complete, platformOf } from './lock.mjs';

describe('the platform in a package name', () => {
  test.each([
    { name: '@biomejs/cli-darwin-arm64', platform: { os: ['darwin'], cpu: ['arm64'] } },
    { name: '@biomejs/cli-linux-x64-musl', platform: { os: ['linux'], cpu: ['x64'], libc: ['musl'] } },
    { name: '@oxc-parser/binding-linux-arm-gnueabihf', platform: { os: ['linux'], cpu: ['arm'], libc: ['glibc'] } },
    { name: '@tailwindcss/oxide-wasm32-wasi', platform: { cpu: ['wasm32'] } },
    { name: '@tailwindcss/oxide-win32-x64-msvc', platform: { os: ['win32'], cpu: ['x64'] } },
  ])('$name', ({ name, platform }) => expect(platformOf(name)).toEqual(platform));
});

describe('completing a lock', () => {
  const entry = { version: '1.0.0', dev: true, optionalDependencies: { 'tool-linux-x64': '1.0.0' } };

  test('a missing binary gets an entry, and the second time nothing is missing', () => {
    const first = complete({ packages: { 'node_modules/tool': entry } });
    expect(first.faults).toEqual(['tool-linux-x64@1.0.0 has no entry']);
    expect(first.lock.packages['node_modules/tool-linux-x64']).toEqual({
      version: '1.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['x64'],
    });
    expect(complete(first.lock).faults).toEqual([]);
  });

  test('a binary nested in its package is found', () => {
    const packages = {
      'node_modules/a/node_modules/tool': entry,
      'node_modules/a/node_modules/tool-linux-x64': { version: '1.0.0' },
    };
    expect(complete({ packages }).faults).toEqual([]);
  });

  test('download addresses are removed', () => {
    const { lock, faults } = complete({
      packages: { 'node_modules/a': { version: '1.0.0', resolved: 'https://x/a.tgz' } },
    });
    expect(faults).toEqual(['node_modules/a has a download address']);
    expect(lock.packages).toEqual({ 'node_modules/a': { version: '1.0.0' } });
  });
});
