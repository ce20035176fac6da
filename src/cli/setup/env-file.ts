/** Writes the file .env, readable only by its owner. */
import { existsSync, writeFileSync } from 'node:fs';

export const ENV_FILE = '.env';

/** @throws in one sentence, if there is one already: it may hold secrets that nothing else holds */
export function mustBeNew(): void {
  if (!existsSync(ENV_FILE)) return;
  throw new Error(
    `There is a file ${ENV_FILE} in this folder already. Change it by hand and check it with "countermand doctor", or move it away and run this again.`,
  );
}

/** @throws if the file exists by now */
export function writeEnvFile(variables: Record<string, string>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`);
  writeFileSync(ENV_FILE, lines.join(''), { mode: 0o600, flag: 'wx' });
}

/** Quotes what would end the value (https://nodejs.org/api/environment_variables.html#dotenv). */
const quoted = (value: string): string => (/[\s#'"`]/.test(value) ? `'${value.replaceAll("'", '')}'` : value);
