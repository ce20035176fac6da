/** The environment, read and checked in one place: nothing else in src reads process.env. */
import { createSecretKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { StorageAddress } from './storage/open.ts';
import { readRedisAddress } from './storage/redis/address.ts';
import type { SecretKey } from './workspaces/cipher.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A base URL that ends in a slash, so that paths are appended to it. */
function baseUrl(name: string) {
  return z
    .string(`${name} is missing: it is the address of ${ADDRESS_OF[name]}.`)
    .transform((text, context) => {
      const url = URL.parse(text);
      const safe =
        url && (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)));
      if (!safe || url.username || url.password || url.search || url.hash) {
        context.addIssue(
          `${name} must be an https address without a user, a query or a fragment (http on loopback only).`,
        );
        return z.NEVER;
      }
      url.pathname = url.pathname.replace(/\/*$/, '/');
      return url;
    });
}

const ADDRESS_OF: Record<string, string> = {
  PUBLIC_URL: 'this bot, as Slack and the order service reach it',
  ORDER_SERVICE_URL: 'the order service',
  SLACK_API_URL: "Slack's Web API",
};

const SecretKeys = z.string().transform((text, context): [SecretKey, ...SecretKey[]] => {
  const keys = text.split(',').map((entry) => {
    const [id = '', key = ''] = entry.trim().split(/:(.*)/s);
    const bytes = Buffer.from(key, 'base64');
    return /^[\w-]{1,32}$/.test(id) && bytes.length === 32 ? { id, key: createSecretKey(bytes) } : undefined;
  });
  const good = keys.filter((key) => key !== undefined);
  const unique = new Set(good.map(({ id }) => id)).size === keys.length;
  const [first, ...rest] = good;
  if (!first || !unique) {
    context.addIssue('SECRET_KEYS must be a list of id:key, each key 32 bytes in base64, each id used once.');
    return z.NEVER;
  }
  return [first, ...rest];
});

const STORAGE_URL =
  'STORAGE_URL must be sqlite: and the path of a file, or redis:// (rediss:// with TLS), an address, and at most a database number and ?prefix= with up to 64 letters, digits and _ - . : characters. With Sentinel it begins with redis+sentinel:// (rediss+sentinel:// with TLS), the addresses of the sentinels with commas between, a slash and the name of the master.';

const StorageUrl = z.string().transform((text, context): StorageAddress => {
  if (/^sqlite:./s.test(text)) return { type: 'sqlite', path: text.slice('sqlite:'.length) };
  const address = readRedisAddress(text);
  if (address) return { type: 'redis', ...address };
  context.addIssue(STORAGE_URL);
  return z.NEVER;
});

const HeaderNames = z
  .string()
  .regex(
    /^[\w-]+(\s*,\s*[\w-]+)*$/,
    'EVENTS_SIGNATURE_HEADERS must be a list of header names, with commas between.',
  )
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()));

const DAY_MS = 24 * 60 * 60_000;

const PORT_RANGE = 'PORT must be a whole number from 0 to 65535.';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const Environment = z.object({
  PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, PORT_RANGE)
    .transform(Number)
    .default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: baseUrl('PUBLIC_URL'),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_APP_TOKEN: z
    .string()
    .startsWith('xapp-', 'SLACK_APP_TOKEN must be an app-level token, which begins with xapp-.')
    .optional(),
  SLACK_BOT_TOKEN: z
    .string()
    .startsWith('xoxb-', 'SLACK_BOT_TOKEN must be a bot token, which begins with xoxb-.')
    .optional(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_STATE_SECRET: z
    .string()
    .min(32, 'SLACK_STATE_SECRET must be 32 random characters or more.')
    .optional(),
  SLACK_API_URL: baseUrl('SLACK_API_URL').default(new URL('https://slack.com/api/')),
  SLACK_POSTS_PER_MINUTE: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'SLACK_POSTS_PER_MINUTE must be a whole number from 1 to 99999.')
    .transform(Number)
    .default(60),
  ORDER_SERVICE_URL: baseUrl('ORDER_SERVICE_URL'),
  ORDER_SERVICE_CANCEL_ROUTE: z
    .enum(['current', 'deprecated'], 'ORDER_SERVICE_CANCEL_ROUTE must be current or deprecated.')
    .default('current'),
  STORAGE_URL: StorageUrl.default({ type: 'sqlite', path: 'data/countermand.db' }),
  SECRET_KEYS: SecretKeys.optional(),
  RETENTION_DAYS: z
    .string()
    .refine(
      (text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_650,
      'RETENTION_DAYS must be a whole number from 1 to 3650.',
    )
    .transform((text) => Number(text) * DAY_MS)
    .default(90 * DAY_MS),
  DRAIN_SECONDS: z
    .string()
    .refine(
      (text) => /^\d{1,2}$/.test(text) && Number(text) <= 60,
      'DRAIN_SECONDS must be a whole number from 0 to 60.',
    )
    .transform((text) => Number(text) * 1_000)
    .default(0),
  EVENTS_SIGNATURE_HEADERS: HeaderNames.default(['x-sibi-signature-256']),
  LOG_LEVEL: z.enum(LOG_LEVELS, `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
  LOG_FORMAT: z.enum(['pretty', 'json'], 'LOG_FORMAT must be pretty or json.').optional(),
});

/** How what Slack sends comes in: to an address of ours, or over Socket Mode, where an app-level token is given. */
export type SlackTransport = { type: 'http'; signingSecret: string } | { type: 'socket'; appToken: string };

/** Where the bot is installed: in the one workspace of a token, or wherever somebody adds it by OAuth. */
export type SlackInstalling =
  | { type: 'token'; botToken: string }
  | { type: 'oauth'; clientId: string; clientSecret: string; stateSecret: string };

export type Config = {
  port: number;
  host: string;
  /** How long a request is kept after it has ended. */
  retentionMs: number;
  /** How long a bot that was told to stop says that it is not ready, before it takes nothing more. */
  drainMs: number;
  publicUrl: URL;
  /** `postsPerMinute`: how many messages Slack takes into one channel. */
  slack: {
    installing: SlackInstalling;
    apiUrl: URL;
    transport: SlackTransport;
    postsPerMinute: number;
  };
  orderService: { url: URL; cancelRoute: 'current' | 'deprecated' };
  storage: StorageAddress;
  /** Undefined: the key file beside the SQLite database is used. */
  secretKeys: [SecretKey, ...SecretKey[]] | undefined;
  eventsSignatureHeaders: string[];
  log: { level: (typeof LOG_LEVELS)[number]; pretty: boolean };
};

/** All mistakes of the configuration at once, a sentence each. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

type Variables = Record<string, string | undefined>;

/**
 * @param variables the environment; an empty value counts as left out
 * @throws ConfigError
 */
export function readConfig(variables: Variables, terminal: boolean): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  const transport = slackTransport(given);
  const installing = slackInstalling(given);
  const problems = [
    ...(parsed.error?.issues.map(({ message }) => message) ?? []),
    ...(transport ? [] : [NO_TRANSPORT]),
    ...(typeof installing === 'string' ? [installing] : []),
    ...(given['STORAGE_URL']?.startsWith('redis') && !given['SECRET_KEYS'] ? [NO_KEYS] : []),
  ];
  if (!parsed.success || !transport || typeof installing === 'string' || problems.length > 0)
    throw new ConfigError(problems);
  const env = parsed.data;
  return {
    port: env.PORT,
    host: env.HOST,
    retentionMs: env.RETENTION_DAYS,
    drainMs: env.DRAIN_SECONDS,
    publicUrl: env.PUBLIC_URL,
    slack: {
      installing,
      apiUrl: env.SLACK_API_URL,
      transport,
      postsPerMinute: env.SLACK_POSTS_PER_MINUTE,
    },
    orderService: { url: env.ORDER_SERVICE_URL, cancelRoute: env.ORDER_SERVICE_CANCEL_ROUTE },
    storage: env.STORAGE_URL,
    secretKeys: env.SECRET_KEYS,
    eventsSignatureHeaders: env.EVENTS_SIGNATURE_HEADERS,
    log: { level: env.LOG_LEVEL, pretty: env.LOG_FORMAT ? env.LOG_FORMAT === 'pretty' : terminal },
  };
}

const NO_TRANSPORT =
  "SLACK_SIGNING_SECRET is missing: it is among the app's basic information. For Socket Mode, set SLACK_APP_TOKEN instead.";

const NO_KEYS =
  'SECRET_KEYS is missing: beside Redis there is no file to keep a key in, so give it as id:key, 32 random bytes in base64.';

function slackTransport({
  SLACK_APP_TOKEN: appToken,
  SLACK_SIGNING_SECRET: signingSecret,
}: Variables): SlackTransport | undefined {
  if (appToken) return { type: 'socket', appToken };
  return signingSecret ? { type: 'http', signingSecret } : undefined;
}

/** @returns what is wrong, where it can't be told how the bot is installed */
function slackInstalling({
  SLACK_BOT_TOKEN: botToken,
  SLACK_CLIENT_ID: clientId,
  SLACK_CLIENT_SECRET: clientSecret,
  SLACK_STATE_SECRET: stateSecret,
}: Variables): SlackInstalling | string {
  const byOAuth = clientId || clientSecret || stateSecret;
  if (botToken) return byOAuth ? BOTH_WAYS : { type: 'token', botToken };
  if (!byOAuth) return NO_INSTALLING;
  if (!clientId || !clientSecret || !stateSecret) return HALF_OAUTH;
  return { type: 'oauth', clientId, clientSecret, stateSecret };
}

const NO_INSTALLING =
  'SLACK_BOT_TOKEN is missing: it is on the page "OAuth & Permissions" of the app. For several workspaces, set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET instead.';

const HALF_OAUTH =
  "SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET belong together: the first two are among the app's basic information, the third is random text of your own, of 32 characters or more.";

const BOTH_WAYS =
  'SLACK_BOT_TOKEN is for one workspace, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET are for several: set the one or the others.';

/** The configuration of this process: its environment and, where there is one, the file .env beside it. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env, process.stdout.isTTY);
}

/** Reads keys in the form of SECRET_KEYS. @param from names where they came from, for the error @throws ConfigError */
export function parseSecretKeys(text: string, from: string): [SecretKey, ...SecretKey[]] {
  const parsed = SecretKeys.safeParse(text);
  if (!parsed.success) {
    throw new ConfigError([`${from} does not hold what Countermand wrote there. Put it back from a backup.`]);
  }
  return parsed.data;
}
