import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleClient } from '../../../page/server/bundle.ts';

test('the browser’s program is one file, for any browser on any machine', async () => {
  const code = await bundleClient();
  expect(code).toContain('/live/workspace');
  expect(code).toContain('/live/inspector');
  for (const path of [process.cwd(), homedir(), join(import.meta.dirname, '../../../..')]) {
    expect(code).not.toContain(path);
  }
  expect(code).not.toContain('process.env');
  expect(code).not.toMatch(/^\s*import[\s{*"']/m);
});
