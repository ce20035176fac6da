/** What terminal commands have in common. */

import { openParts, type Parts } from '../compose/parts.ts';
import type { Config } from '../config.ts';

export type Command = {
  /** The lines of the usage that are about it. */
  usage: string;
  /** @throws UsageError, or what can be told in a sentence */
  run(args: string[]): Promise<void>;
};

/** A mistake in the command line: the person gets a sentence and the usage. */
export class UsageError extends Error {}

export function print(lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** What is written for Slack, for a terminal. */
export const plainText = (mrkdwn: string): string => mrkdwn.replace(/^:\w+: /, '').replaceAll('*', '');

export function workspaceOf({ workspace }: { workspace?: string | undefined }): string {
  if (workspace && /^T[A-Z0-9]+$/.test(workspace)) return workspace;
  throw new UsageError('--workspace must be the id of a Slack workspace, which begins with T.');
}

/** What a command has to say it says itself. */
export const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

export async function withParts(config: Config, work: (parts: Parts) => Promise<void>): Promise<void> {
  const parts = await openParts(config);
  try {
    await parts.storage.open(SILENT);
    await work(parts);
  } finally {
    await parts.close();
  }
}
