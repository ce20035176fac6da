/** Opens what a terminal command works with: the storage or the bot, and a log. Checks the options that commands share. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Adapters, loadOutside, type Outside, openAdapters } from '../compose/adapters.ts';
import { type Bot, createBot } from '../compose/bot.ts';
import { type Config, loadConfig } from '../config.ts';
import { asError } from '../fault.ts';
import { createLogger, shortMessageOf } from '../log.ts';
import { type Log, SILENT } from '../outbox/ports.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { boltLogger, type SlackApi } from '../slack/client/clients.ts';
import { VERSION } from '../version.ts';
import { MissingTokenError, SealError } from '../workspaces/cipher.ts';

export type Command = {
  usage: string;
  /** @throws UsageError, or an error with a message for the person */
  run(args: string[]): Promise<void>;
};

/** The types of options, for `parseArgs` of Node. */
export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean', default: false } as const;

/** A mistake in the command line: the person sees a message, and the usage of the command. */
export class UsageError extends Error {}

/** Checks the id of a workspace. @throws UsageError */
export function workspaceOf({ workspace }: { workspace?: string }): string {
  if (workspace && /^T[A-Z0-9]+$/.test(workspace)) return workspace;
  throw new UsageError('--workspace must be the id of a Slack workspace (T...).');
}

/** Checks the id of a workspace, or of an organization, which has an audit trail of its own. @throws UsageError */
export function installationOf({ workspace }: { workspace?: string }): string {
  if (workspace && /^[TE][A-Z0-9]+$/.test(workspace)) return workspace;
  throw new UsageError(
    '--workspace must be the id of a Slack workspace (T...) or of an organization (E...).',
  );
}

/**
 * The remedies for errors of Redis, by code (https://redis.io/docs/latest/develop/reference/protocol-spec/, "Simple errors").
 * For a command within a script Redis may answer ERR, followed by the code or by a sentence.
 */
const REDIS_REMEDIES: readonly [RegExp, string][] = [
  [/\bOOM\b/, 'Redis is full: raise maxmemory, or lower RETENTION_DAYS.'],
  [/\bREADONLY\b/, 'Use the address of the server that takes writes.'],
  [/\bNOREPLICAS\b/, 'Start its replicas, which min-replicas-to-write demands.'],
  [
    /\bMISCONF\b/,
    'Redis cannot write a snapshot, or its append-only file: look at its log, and at the disk.',
  ],
  [
    /\bNOPERM\b|can't run this command/,
    'Give the user of STORAGE_URL the rights in deploy/users.acl; "redis-cli --user admin --askpass ACL LOG" shows what was denied.',
  ],
];

/** @returns what to do about an error of Redis; undefined for an unknown one, and for any other error */
export const redisRemedy = (message: string): string | undefined =>
  /^[A-Z]{3,} /.test(message) ? REDIS_REMEDIES.find(([said]) => said.test(message))?.[1] : undefined;

/** The way to replace a secret that no key opens. */
const NEW_SECRET: Record<SealError['purpose'], string> = {
  'api token': 'connect the workspace again',
  'events secret': 'connect the workspace again',
  'Slack tokens': 'install Countermand again',
};

/** @returns the text of an error for a person, with what to do */
export function messageOf(error: unknown): string {
  const { message } = asError(error);
  if (error instanceof MissingTokenError) return `${message} Connect the workspace again.`;
  if (error instanceof SealError)
    return `${message} Put back the key that sealed it (SECRET_KEYS, or the key file), or ${NEW_SECRET[error.purpose]}.`;
  const remedy = redisRemedy(message);
  if (remedy !== undefined) return `Redis refused a command (${message}). ${remedy}`;
  if (!(error instanceof z.ZodError)) return message;
  // During an upgrade a newer replica may have written what this version can't read. Zod lists each field of it as JSON.
  return `A stored record cannot be read (${shortMessageOf(error)}). Run this with the newest version of Countermand that has used the storage. If that fails, too, the record is damaged: restore a backup (docs/running.md, "Backup").`;
}

export const isPersonId = (text: string): boolean => /^[UW][A-Z0-9]+$/.test(text);

/** Parses the value of --limit. @throws UsageError */
export function limitOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--limit must be a whole number from 1.');
}

/** The error for an id that nothing is stored about: most likely it is mistyped. */
export const unknownError = (id: string): Error =>
  new Error(`Countermand stores nothing about ${id}. Check the id.`);

/** Whether anything is stored about a workspace or organization, readable or not. */
export async function isKnown({ storage, installations }: Adapters, id: string): Promise<boolean> {
  if (await installations.has(id)) return true;
  const { connections, requests, notices, auditEntries, settings } = storage;
  // Counted, not read, because an unreadable record counts, too.
  const counts = [connections, requests, notices, auditEntries, settings].map((store) => store.count(id));
  return (await Promise.all(counts)).some((count) => count > 0);
}

/** @throws if nothing is stored about a workspace */
export async function mustBeKnown(adapters: Adapters, workspace: string): Promise<void> {
  if (!(await isKnown(adapters, workspace))) throw unknownError(workspace);
}

/** @returns the path of a SQLite database that does not exist yet: only the bot and some commands create it */
export const missingDatabase = ({ storage }: Config): string | undefined =>
  storage.type === 'sqlite' && !existsSync(storage.path) ? storage.path : undefined;

type Prepared = { config: Config; log: Log };

/** Reads the configuration, and opens a log on standard error: standard output is for the result of the command. */
async function prepared(
  { creates }: { creates: boolean },
  use: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  const config = loadConfig();
  const path = missingDatabase(config);
  if (path !== undefined && !creates)
    throw new Error(
      `There is no database at ${path}. Check STORAGE_URL, and that this runs in the folder of the bot.`,
    );
  const writer = { replica: TERMINAL, version: VERSION };
  const log = await createLogger({ ...config.log, writer }, process.stderr);
  try {
    await use({ config, log });
  } finally {
    log.flush();
  }
}

type Opened = Prepared & { adapters: Adapters };

/**
 * Runs a command that works with the adapters alone.
 *
 * @param creates whether the command creates a missing database
 */
export async function withAdapters(
  use: (opened: Opened) => Promise<void>,
  { creates = false } = {},
): Promise<void> {
  await prepared({ creates }, async ({ config, log }) => {
    const adapters = await openAdapters(config, log);
    try {
      // A command says itself if something is wrong with the storage.
      await adapters.storage.open(SILENT);
      await use({ adapters, config, log });
    } finally {
      await adapters.close();
    }
  });
}

/**
 * Aborted from the start, so that a command performs no effect: it would end before the effect does. The running bot finds what a
 * use case has woken within seconds (src/jobs/runner.ts).
 */
const NO_EFFECTS = AbortSignal.abort();

/** The longest wait for the renewal of a Slack token that the command began: the refresh token may be used up by then. */
const RENEWING_MS = 25_000;

/** Runs a command that works with the use cases of the bot. */
export async function withBot(use: (bot: Bot) => Promise<void>): Promise<void> {
  await prepared({ creates: false }, async ({ config, log }) => {
    const bot = createBot(config, log, NO_EFFECTS, {}, await loadOutside(config));
    const { adapters, slack } = bot.context;
    try {
      await adapters.storage.open(SILENT);
      await use(bot);
    } finally {
      await Promise.all(bot.background.running.map((each) => each.stop()));
      await slack.stop(adapters.outside.runtime.sleep(RENEWING_MS, new AbortController().signal));
      await adapters.close();
    }
  });
}

/** Runs `use` with Slack's Web API, over connections of its own that are closed afterwards. */
export async function withSlackApi<T>(
  outside: Outside,
  { slack }: { slack: { apiUrl: URL } },
  use: (api: SlackApi) => Promise<T>,
): Promise<T> {
  const { close, ...network } = outside.connectSlack();
  try {
    return await use({ apiUrl: slack.apiUrl, logger: boltLogger(SILENT), ...network });
  } finally {
    await close();
  }
}
