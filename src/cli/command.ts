/** Helpers that all terminal commands share. */

import { type Adapters, openAdapters } from '../compose/adapters.ts';
import type { Config } from '../config.ts';

export type Command = {
  /** The lines of the usage about the command. */
  usage: string;
  /** @throws UsageError, or an error with a message for the person */
  run(args: string[]): Promise<void>;
};

/** A mistake in the command line: the person sees a message and the usage. */
export class UsageError extends Error {}

export function print(lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Converts a Slack text for a terminal. */
export const plainText = (mrkdwn: string): string => mrkdwn.replace(/^:\w+: /, '').replaceAll('*', '');

export function workspaceOf({ workspace }: { workspace?: string | undefined }): string {
  if (workspace && /^T[A-Z0-9]+$/.test(workspace)) return workspace;
  throw new UsageError('--workspace must be the id of a Slack workspace (T...).');
}

/** A log that drops everything, because commands print their own output. */
export const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

export async function withAdapters(
  config: Config,
  use: (adapters: Adapters) => Promise<void>,
): Promise<void> {
  const adapters = await openAdapters(config);
  try {
    await adapters.storage.open(SILENT);
    await use(adapters);
  } finally {
    await adapters.close();
  }
}
