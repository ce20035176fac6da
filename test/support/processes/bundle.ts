/**
 * Bundles the bot once for all tests that start it as a process: a bundle starts in half the time, and is what the image runs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleInto } from '../../../bench/lib/bundle.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to that of vitest
  interface ProvidedContext {
    /** The file to start the bundled bot with. No folder above it has node_modules. */
    bundle: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-bundle-'));
  project.provide('bundle', await bundleInto(folder));
  return () => rmSync(folder, { recursive: true });
}
