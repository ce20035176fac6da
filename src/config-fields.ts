/**
 * Parses environment variables, and defines their error messages: single variables, the groups of Slack's variables that belong
 * together, and the variables that name the file of a secret.
 */
import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readRedisAddress, type StorageAddress } from './storage/storage-address.ts';
import type { SecretKey } from './workspaces/cipher.ts';

export type Variables = Record<string, string | undefined>;

/** Parses a whole number within bounds, which are included. */
export function wholeNumber(name: string, from: number, to: number) {
  return z
    .string()
    .refine(
      (text) => /^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= from && Number(text) <= to,
      `${name} must be a whole number from ${from} to ${to}.`,
    )
    .transform(Number);
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const ADDRESS_OF = {
  PUBLIC_URL: 'this bot, as Slack and the order service reach it',
  ORDER_SERVICE_URL: 'the order service',
  SLACK_API_URL: "Slack's Web API",
};

/** Parses a base URL. The result ends in a slash, so that paths can be appended. */
export function baseUrl(name: keyof typeof ADDRESS_OF) {
  return z
    .string(`${name} is missing. Set it to the address of ${ADDRESS_OF[name]}.`)
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

/** An entry `id:key`. Buffer.from would ignore characters that are not base64, and all that follows a `=`: maybe the next key. */
const SECRET_KEY = /^([\w-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/;

export const SecretKeys = z.string().transform((text, context): [SecretKey, ...SecretKey[]] => {
  const keys = text
    .trim()
    .split(/\s*,\s*|\s+/)
    .map((entry) => {
      const [, id, key] = SECRET_KEY.exec(entry) ?? [];
      return id && key ? { id, key: createSecretKey(Buffer.from(key, 'base64')) } : undefined;
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

export const StorageUrl = z.string().transform((text, context): StorageAddress => {
  if (/^sqlite:./s.test(text)) return { type: 'sqlite', path: text.slice('sqlite:'.length) };
  const address = readRedisAddress(text);
  if (address) return { type: 'redis', ...address };
  context.addIssue(
    'STORAGE_URL must be one of sqlite:PATH, redis://HOST:PORT/DATABASE?prefix=PREFIX (rediss:// with TLS) and redis+sentinel://HOST:PORT,HOST:PORT/MASTER (rediss+sentinel:// with TLS). A prefix has at most 64 letters, digits and _ - . : characters. A % in the login is written %25.',
  );
  return z.NEVER;
});

/** Refuses a token that no HTTP header can carry: with it the bot would take Slack for unreachable, and try for ever. */
export const slackToken = (name: string, what: string, prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}[!-~]+$`),
      `${name} must be ${what}, which begins with ${prefix} and has only ASCII characters and no spaces.`,
    );

export const HeaderNames = z
  .string()
  .regex(
    /^[\w-]+(\s*,\s*[\w-]+)*$/,
    'EVENTS_SIGNATURE_HEADERS must be a list of header names, separated by commas.',
  )
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()));

/** The way by which Slack reaches the bot: HTTP, or Socket Mode if an app-level token is set. */
export type SlackTransport = { type: 'http'; signingSecret: string } | { type: 'socket'; appToken: string };

/** The way of installation: in the one workspace of a token, or by OAuth in any number. */
export type SlackInstalling =
  | { type: 'token'; botToken: string }
  | { type: 'oauth'; clientId: string; clientSecret: string; stateSecret: string };

/** @returns the transport, or an error message */
export function slackTransport({
  SLACK_APP_TOKEN: appToken,
  SLACK_SIGNING_SECRET: signingSecret,
}: Variables): SlackTransport | string {
  if (appToken) return { type: 'socket', appToken };
  return signingSecret
    ? { type: 'http', signingSecret }
    : 'SLACK_SIGNING_SECRET is missing. Copy it from the page "Basic Information" of the app. For Socket Mode, set SLACK_APP_TOKEN instead.';
}

/** @returns the way of installation, or an error message */
export function slackInstalling({
  SLACK_BOT_TOKEN: botToken,
  SLACK_CLIENT_ID: clientId,
  SLACK_CLIENT_SECRET: clientSecret,
  SLACK_STATE_SECRET: stateSecret,
}: Variables): SlackInstalling | string {
  const byOAuth = clientId || clientSecret || stateSecret;
  if (botToken)
    return byOAuth
      ? 'SLACK_BOT_TOKEN is for one workspace; SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET are for several. Set only the one or only the others.'
      : { type: 'token', botToken };
  if (!byOAuth)
    return 'SLACK_BOT_TOKEN is missing. Copy it from the page "OAuth & Permissions" of the app. For several workspaces, set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET instead.';
  if (!clientId || !clientSecret || !stateSecret)
    return 'SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET belong together. Copy the first two from the page "Basic Information" of the app, and make the third from 32 or more random characters.';
  return { type: 'oauth', clientId, clientSecret, stateSecret };
}

/** The variables that hold a secret: STORAGE_URL may hold the password of Redis. */
export const SECRETS = [
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_BOT_TOKEN',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
  'SECRET_KEYS',
  'STORAGE_URL',
] as const;

/** The variable that names the file of a secret, as container platforms mount secrets. */
export const fileVariableOf = (name: string): string => `${name}_FILE`;

/**
 * Reads the secrets that are in files.
 *
 * @returns the variables with these secrets, and for each file that can't be used its secret and a sentence
 */
export function withSecretFiles(given: Variables) {
  const variables = { ...given };
  const unread: { name: string; problem: string }[] = [];
  for (const name of SECRETS) {
    const file = fileVariableOf(name);
    const path = given[file];
    if (path === undefined) continue;
    const both = `${name} and ${file} are both set. Remove one of them.`;
    const { value, problem } = given[name] === undefined ? readSecret(file, path) : { problem: both };
    if (problem === undefined) variables[name] = value;
    else unread.push({ name, problem });
  }
  return { variables, unread };
}

/** Reads a file. The problem does not quote its path, which may be the secret itself, put into the wrong variable. */
function readSecret(variable: string, path: string): { value?: string; problem?: string } {
  try {
    const value = readFileSync(path, 'utf8').trim();
    if (value !== '') return { value };
    return { problem: `${variable} must name a file with the secret, and that file is empty.` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    return { problem: `${variable} must name a readable file, and that file can't be read (${code}).` };
  }
}
