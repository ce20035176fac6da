/** Reads and checks the environment. Nothing else in src reads process.env. */
import { existsSync, readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import {
  baseUrl,
  fileVariableOf,
  HeaderNames,
  SECRETS,
  SecretKeys,
  type SlackInstalling,
  type SlackTransport,
  StorageUrl,
  slackInstalling,
  slackToken,
  slackTransport,
  type Variables,
  wholeNumber,
  withSecretFiles,
} from './config-fields.ts';
import { redisPasswords } from './storage/storage-address.ts';

export type { Variables };

const DAY_MS = 24 * 60 * 60_000;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const Environment = z.object({
  PORT: wholeNumber('PORT', 0, 65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: baseUrl('PUBLIC_URL'),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_APP_TOKEN: slackToken('SLACK_APP_TOKEN', 'an app-level token', 'xapp-').optional(),
  SLACK_BOT_TOKEN: slackToken('SLACK_BOT_TOKEN', 'a bot token', 'xoxb-').optional(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_STATE_SECRET: z
    .string()
    .min(32, 'SLACK_STATE_SECRET must be 32 random characters or more.')
    .optional(),
  SLACK_API_URL: baseUrl('SLACK_API_URL').default(new URL('https://slack.com/api/')),
  SLACK_POSTS_PER_MINUTE: wholeNumber('SLACK_POSTS_PER_MINUTE', 1, 99_999).default(60),
  ORDER_SERVICE_URL: baseUrl('ORDER_SERVICE_URL'),
  ORDER_SERVICE_CANCEL_ROUTE: z
    .enum(['current', 'deprecated'], 'ORDER_SERVICE_CANCEL_ROUTE must be current or deprecated.')
    .default('current'),
  STORAGE_URL: StorageUrl.default({ type: 'sqlite', path: 'data/countermand.db' }),
  SECRET_KEYS: SecretKeys.optional(),
  AUDIT_FILE: z.string().optional(),
  RETENTION_DAYS: wholeNumber('RETENTION_DAYS', 1, 3_650).default(90),
  DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS', 0, 60).default(0),
  EVENTS_SIGNATURE_HEADERS: HeaderNames.default(['x-sibi-signature-256']),
  METRICS_PORT: wholeNumber('METRICS_PORT', 0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PER_WORKSPACE: z.enum(['0', '1'], 'METRICS_PER_WORKSPACE must be 0 or 1.').default('0'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
  LOG_FORMAT: z.enum(['pretty', 'json'], 'LOG_FORMAT must be pretty or json.').optional(),
});

export type Config = ReturnType<typeof configOf>;

/** All mistakes of the configuration, one sentence each. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Checks the variables.
 *
 * @param variables the environment; an empty value counts as unset
 * @param isTerminal whether a person reads the log in a terminal, unless LOG_FORMAT says so
 * @throws ConfigError
 */
export function readConfig(variables: Variables, isTerminal: boolean): Config {
  const { variables: given, unread } = withSecretFiles(withoutBlank(variables));
  const parsed = Environment.safeParse(given);
  // A secret whose file can't be used is not called missing as well.
  const present = { ...given, ...Object.fromEntries(unread.map(({ name }) => [name, 'unread'])) };
  const transport = slackTransport(present);
  const installing = slackInstalling(present);
  const problems = [
    ...unread.map(({ problem }) => problem),
    ...(parsed.error?.issues.map(({ message }) => message) ?? []),
    ...[transport, installing].filter((each) => typeof each === 'string'),
    ...(isOnePort(given)
      ? ['PORT and METRICS_PORT are the same. The bot listens at both: set one of them to another port.']
      : []),
    ...(present['STORAGE_URL']?.startsWith('redis') && !present['SECRET_KEYS']
      ? [
          'SECRET_KEYS is missing. Redis needs it, in the form id:key, where the key is 32 random bytes in base64.',
        ]
      : []),
  ];
  if (
    !parsed.success ||
    typeof transport === 'string' ||
    typeof installing === 'string' ||
    problems.length > 0
  )
    throw new ConfigError(problems);
  return configOf(parsed.data, { transport, installing, pretty: isLogPretty(given, isTerminal) });
}

const Listening = Environment.pick({ PORT: true, HOST: true, METRICS_PORT: true, METRICS_HOST: true });

/** Whether PORT and METRICS_PORT certainly conflict. At two addresses of the machine the bot may use the same port. */
function isOnePort(given: Variables): boolean {
  const { data } = Listening.safeParse(given);
  // At port 0 the system chooses one.
  if (!data || data.PORT === 0 || data.PORT !== data.METRICS_PORT) return false;
  const hosts = [data.HOST, data.METRICS_HOST];
  // At :: Node takes IPv4, too; a name may lead to either (https://nodejs.org/api/net.html, "ipv6Only").
  return (
    new Set(hosts).size === 1 || hosts.includes('::') || (hosts.includes('0.0.0.0') && hosts.every(isIPv4))
  );
}

function configOf(
  env: z.infer<typeof Environment>,
  given: { transport: SlackTransport; installing: SlackInstalling; pretty: boolean },
) {
  const { transport, installing, pretty } = given;
  return {
    port: env.PORT,
    host: env.HOST,
    /** The time for which ended requests are kept. */
    retentionMs: env.RETENTION_DAYS * DAY_MS,
    /** The time for which a stopping bot reports that it is not ready, before it stops accepting requests. */
    drainMs: env.DRAIN_SECONDS * 1_000,
    publicUrl: env.PUBLIC_URL,
    /** `postsPerMinute`: Slack's limit of messages in one channel. */
    slack: {
      installing,
      apiUrl: env.SLACK_API_URL,
      transport,
      postsPerMinute: env.SLACK_POSTS_PER_MINUTE,
    },
    orderService: { url: env.ORDER_SERVICE_URL, cancelRoute: env.ORDER_SERVICE_CANCEL_ROUTE },
    storage: env.STORAGE_URL,
    /** Undefined: the key file beside the SQLite database is used. */
    secretKeys: env.SECRET_KEYS,
    /** The target of the audit stream: the path of a file, or `-` for standard output; undefined: there is none. */
    auditFile: env.AUDIT_FILE,
    eventsSignatureHeaders: env.EVENTS_SIGNATURE_HEADERS,
    log: { level: env.LOG_LEVEL, pretty },
    /** The address that serves the metrics; undefined: they are not served. */
    metrics:
      env.METRICS_PORT === undefined
        ? undefined
        : { port: env.METRICS_PORT, host: env.METRICS_HOST, perWorkspace: env.METRICS_PER_WORKSPACE === '1' },
  };
}

/** Also removes white space around a value: a secret of Kubernetes that was made by `echo` ends in a line break. */
const withoutBlank = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value),
  );

/** The names of all variables that the bot reads. */
export const VARIABLES: readonly string[] = [...Environment.keyof().options, ...SECRETS.map(fileVariableOf)];

/** @returns a sentence that says what is wrong with the value of a variable; undefined if it is right */
export function configProblem(name: keyof typeof Environment.shape, value: string): string | undefined {
  const parsed = Environment.shape[name].safeParse(value.trim() === '' ? undefined : value);
  return parsed.error?.issues[0]?.message;
}

/** The length of the shortest secret that is masked. A shorter one is part of many words, which would be masked with it. */
const SHORTEST_SECRET = 4;

/**
 * A STORAGE_URL that is not masked, because it holds no secret, and error messages have such words: the address of a SQLite
 * database, or just the scheme of Redis.
 */
const WITHOUT_SECRET = /^(sqlite(:.*)?|rediss?(\+sentinel)?:?\/*)$/;

/** Lists the secrets of a configuration, valid or not, so that they can be masked. */
export function secretsIn(variables: Variables): string[] {
  const { variables: given } = withSecretFiles(withoutBlank(variables));
  const url = given['STORAGE_URL'] ?? '';
  const names = SECRETS.filter((name) => name !== 'STORAGE_URL' || !WITHOUT_SECRET.test(url));
  const values = [...names.map((name) => given[name] ?? ''), ...redisPasswords(url)];
  return [...new Set(values)].filter((secret) => secret.length >= SHORTEST_SECRET);
}

/**
 * Reads the environment of this process and, if present, the file .env in its working directory.
 *
 * @throws ConfigError if that can't be read
 */
export function environment(): Variables {
  // The file does not change a variable that is set, and a blank one counts as unset.
  for (const name of VARIABLES) if (!process.env[name]?.trim()) delete process.env[name];
  try {
    // process.loadEnvFile takes the byte-order mark of a Windows editor for a part of the first name.
    const text = existsSync('.env') ? readFileSync('.env', 'utf8').replace(/^\uFEFF/, '') : '';
    for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  } catch {
    throw new ConfigError([
      'The file .env in this folder cannot be read. Give the user that runs Countermand the right to read it.',
    ]);
  }
  return process.env;
}

/** Reads the configuration of this process. @throws ConfigError */
export const loadConfig = (): Config => readConfig(environment(), process.stdout.isTTY);

/** Whether this process writes its log for a person, known even if its configuration is invalid. */
export const isOwnLogPretty = (): boolean => isLogPretty(process.env, process.stdout.isTTY);

const isLogPretty = ({ LOG_FORMAT: format }: Variables, isTerminal: boolean): boolean =>
  format === 'pretty' || (format !== 'json' && isTerminal);

/** Parses the content of a key file, which has the form of SECRET_KEYS. @throws ConfigError */
export function parseKeyFile({ path, text }: { path: string; text: string }): z.infer<typeof SecretKeys> {
  const parsed = SecretKeys.safeParse(text);
  if (!parsed.success) {
    throw new ConfigError([
      `The file ${path} is not the key file that Countermand wrote. Restore it from a backup.`,
    ]);
  }
  return parsed.data;
}
