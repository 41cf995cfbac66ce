/** docs/encodings.md is the registry. */
import { expect, test } from 'vitest';
import { CAPTURED_FORMATS, CAPTURED_NATIVE } from './captured-encodings.ts';
import type { EncodingRow } from './encoding-row.ts';
import { ENCODINGS } from './encodings.ts';

type Listed = Pick<EncodingRow, 'id' | 'label' | 'mapping'>;

const tableOf = (listed: readonly Listed[]): string =>
  `| id | label | form |\n|---|---|---|\n${listed
    .map(({ id, label, mapping }) => `| \`${id}\` | ${label} | ${mapping} |\n`)
    .join('')}`;

const page = `# Encodings

Ids of encodings: for \`--encodings\`, for \`--native\` and the library's \`encoding\` (all but \`protobuf\`), and in \`ledgers\` of [the profile as JSON](profile-json.md). \`--encodings\` also takes \`native\`: the native side, which \`--native\` selects. More about the ids from \`opensearch\` on: [native profiles](native-profiles.md). \`json-otlp\` is for types of OTLP only.

${tableOf(ENCODINGS)}
Ids of messages that were captured in another encoding than protobuf:

${tableOf([...Object.values(CAPTURED_FORMATS).map(({ row }) => row), CAPTURED_NATIVE])}`;

test('docs/encodings.md has every encoding', async () => {
  expect(ENCODINGS.filter(({ isFor }) => isFor).map(({ id }) => id)).toEqual(['json-otlp']);
  await expect(page).toMatchFileSnapshot(new URL('../../../docs/encodings.md', import.meta.url).pathname);
});
