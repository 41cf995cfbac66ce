import { describe, expect, test } from 'vitest';
import { countPlaywright, countVitest, settle } from './tally.ts';

describe('vitest', () => {
  test.each([
    { name: 'all pass', report: { numPassedTests: 3, numFailedTests: 0 }, tally: { passed: 3, failed: 0 } },
    { name: 'one fails', report: { numPassedTests: 2, numFailedTests: 1 }, tally: { passed: 2, failed: 1 } },
    { name: 'one is skipped', report: { numPassedTests: 2, numPendingTests: 1 }, tally: { passed: 2, failed: 1 } },
    {
      name: 'a file does not load',
      report: { numPassedTests: 2, testResults: [{ status: 'failed', assertionResults: [] }] },
      tally: { passed: 2, failed: 1 },
    },
    {
      name: 'a failed file with its tests is not counted twice',
      report: { numPassedTests: 2, numFailedTests: 1, testResults: [{ status: 'failed', assertionResults: [{}] }] },
      tally: { passed: 2, failed: 1 },
    },
    { name: 'no report', report: undefined, tally: { passed: 0, failed: 0 } },
  ])('$name', ({ report, tally }) => expect(countVitest(report)).toEqual(tally));
});

describe('playwright', () => {
  test.each([
    { name: 'all pass', stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, tally: { passed: 4, failed: 0 } },
    {
      name: 'each other outcome',
      stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 },
      tally: { passed: 4, failed: 3 },
    },
    { name: 'no report', stats: undefined, tally: { passed: 0, failed: 0 } },
  ])('$name', ({ stats, tally }) => expect(countPlaywright({ stats })).toEqual(tally));
});

describe('exit code and report are judged together', () => {
  test.each([
    { name: 'a check that passes', code: 0, counted: undefined, tally: { passed: 1, failed: 0 } },
    { name: 'a check that fails', code: 2, counted: undefined, tally: { passed: 0, failed: 1 } },
    { name: 'tests that pass', code: 0, counted: { passed: 5, failed: 0 }, tally: { passed: 5, failed: 0 } },
    { name: 'tests that fail', code: 1, counted: { passed: 5, failed: 2 }, tally: { passed: 5, failed: 2 } },
    {
      name: 'a clean report and a bad exit',
      code: 1,
      counted: { passed: 5, failed: 0 },
      tally: { passed: 5, failed: 1 },
    },
    {
      name: 'a skipped test and a good exit',
      code: 0,
      counted: { passed: 5, failed: 1 },
      tally: { passed: 5, failed: 1 },
    },
    { name: 'no tests at all', code: 0, counted: { passed: 0, failed: 0 }, tally: { passed: 0, failed: 1 } },
  ])('$name', ({ code, counted, tally }) => expect(settle(code, counted)).toEqual(tally));
});
