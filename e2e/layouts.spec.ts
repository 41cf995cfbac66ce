/** As someone with a plugin of my own I write the layout of its messages, and they are explained. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, isEditing, pathOf } from './steps.ts';

/** A node's check of its followers and their empty answer, under an action for which no layout ships with the app. */
const CHECKS = `syntax = "proto3";
package mine;
import "native/options.proto";
import "opensearch/common.proto";
service Checks {
  rpc Follower(FollowerCheck) returns (org.opensearch.stream.Empty) {
    option (wirecost.native.action) = "internal:coordination/fault_retention/follower_check";
  }
}
message FollowerCheck {
  org.opensearch.stream.TaskId parent = 1 [(wirecost.native.absent) = DEFAULT];
  int64 term = 2 [(wirecost.native.write) = LONG];
  Node sender = 3 [(wirecost.native.absent) = DEFAULT];
}
message Node {
  string name = 1 [(wirecost.native.write) = STRING];
  string id = 2 [(wirecost.native.write) = STRING];
  string ephemeral_id = 3 [(wirecost.native.write) = STRING];
  string host_name = 4 [(wirecost.native.write) = STRING];
  string host_address = 5 [(wirecost.native.write) = STRING];
  bytes address = 6 [(wirecost.native.write) = SHORT_BYTES];
  string host = 7 [(wirecost.native.write) = STRING];
  int32 port = 8 [(wirecost.native.write) = INT];
  map<string, string> attributes = 9;
  repeated Role roles = 10;
  int32 version = 11 [(wirecost.native.write) = VINT];
}
message Role {
  string name = 1 [(wirecost.native.write) = STRING];
  string abbreviation = 2 [(wirecost.native.write) = STRING];
  bool can_hold_data = 3 [(wirecost.native.write) = BOOLEAN];
}
`;

const groups = (page: Page) => page.getByRole('tree', { name: 'Groups of messages' });
const request = (page: Page) => groups(page).getByRole('treeitem', { name: /^request FollowerCheck/ });
const editor = (page: Page) => page.locator('.monaco-editor').first();

/** Replaces the text in the editor, as pasting does. */
async function writeSchema(page: Page, text: string): Promise<void> {
  await editor(page).locator('.view-line').first().click();
  await expect.poll(() => isEditing(page)).toBe(true);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

test('a layout written in the editor explains opaque bytes; one that does not fit reports its position', async ({
  page,
}) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/opensearch-unknown-action.pcap'));
  await expect(fieldTable(page)).toBeVisible();
  await expect(groups(page).getByRole('treeitem', { name: /follower_check/ })).toBeVisible();
  await expect(request(page)).toHaveCount(0);

  await page.getByRole('button', { name: /^Schema/ }).click();
  await page.getByRole('button', { name: 'Write one' }).click();
  await writeSchema(page, CHECKS);
  await page.getByRole('button', { name: /^Messages/ }).click();
  await request(page).click();
  const verdict = page.getByRole('heading', { level: 1 });
  await expect(verdict).toContainText(
    /^6 follower checks\. Protobuf 948\sbytes, native\s864: protobuf costs \+9\.72\s%/,
  );
  await expect(fieldTable(page).getByRole('row', { name: /^ephemeral_id 3/ })).toBeVisible();
  await expect(fieldTable(page).getByRole('row', { name: /^ephemeral_id 3/ })).toContainText(
    'native: length 6 · value 132',
  );

  // A field that is not there: the layout is eight bytes too long for the message.
  await page.getByRole('button', { name: /^Schema/ }).click();
  await writeSchema(
    page,
    CHECKS.replace('VINT];\n}', 'VINT];\n  int64 more = 12 [(wirecost.native.write) = LONG];\n}'),
  );
  await page.getByRole('button', { name: /^Findings/ }).click();
  await expect(page.getByText('The stream ends before this value does.').first()).toBeVisible();
});

test('an option that cannot be followed is an error at its place', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/opensearch-unknown-action.pcap'));
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: /^Schema/ }).click();
  await page.getByRole('button', { name: 'Write one' }).click();
  await writeSchema(
    page,
    CHECKS.replace(
      'string host = 7 [(wirecost.native.write) = STRING]',
      'string host = 7 [(wirecost.native.write) = LONG]',
    ),
  );
  const wrong = page.getByRole('list', { name: 'Faults in this file' }).getByRole('listitem');
  await expect(wrong).toHaveText(/^22:46\s*LONG cannot write a string\.$/);
  await expect(page.locator('.monaco-editor .squiggly-error')).toHaveCount(1);
});

test('a file with one native message is read by the layout that is chosen', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/bundled/hits-10.native.bin'));
  const banner = page.getByRole('banner');
  await banner.getByRole('button', { name: 'hits-10.native.bin' }).first().click();
  await page.getByLabel('Messages are').selectOption('native');
  // As typed the moment the list opens, while the file is read.
  await page.getByRole('button', { name: /^Type/ }).evaluate((button: HTMLButtonElement) => {
    button.click();
    document.execCommand('insertText', false, 'search.SearchHitsProto');
  });
  const search = page.getByRole('combobox', { name: 'Search message types' });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 native message');
  await expect(search).toHaveValue('search.SearchHitsProto');
  await expect(search).toBeFocused();
  await page.getByRole('option', { name: /^SearchHitsProto org\.opensearch\.proto/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/Protobuf 9,191\sbytes, native\s9,125/);
  await expect(fieldTable(page).getByRole('row', { name: /hits 6/ })).toBeVisible();
});
