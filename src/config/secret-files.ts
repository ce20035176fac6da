/** Reads secrets from files: NAME_FILE names the file that holds NAME, as container platforms mount secrets. */
import { readFileSync } from 'node:fs';

export type Variables = Record<string, string | undefined>;

/** The variables that hold a secret. STORAGE_URL may hold the password of Redis. */
export const SECRETS = [
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_BOT_TOKEN',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
  'SECRET_KEYS',
  'STORAGE_URL',
] as const;

export const secretFileOf = (name: string): string => `${name}_FILE`;

/** @returns the variables with the content of each file, and a sentence for each file that can't be used */
export function withSecretFiles(variables: Variables): { variables: Variables; problems: string[] } {
  const files = SECRETS.filter((name) => variables[secretFileOf(name)] !== undefined);
  const read = files.map((name) => ({ name, ...readSecret(name, variables) }));
  const values = read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  return {
    variables: { ...variables, ...Object.fromEntries(values) },
    problems: read.flatMap(({ problem }) => problem ?? []),
  };
}

/** `value`: also beside a problem, so that the same variable is not called missing, too. */
type Read = { value?: string; problem?: string };

function readSecret(name: string, variables: Variables): Read {
  const variable = secretFileOf(name);
  const path = variables[variable] ?? '';
  if (variables[name] !== undefined)
    return { problem: `${name} and ${variable} are both set. Remove one of them.` };
  try {
    const value = readFileSync(path, 'utf8').trim();
    if (value !== '') return { value };
    return { problem: `${variable} must name a file with the secret, and ${path} is empty.` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    return { problem: `${variable} must name a readable file, and ${path} can't be read (${code}).` };
  }
}
