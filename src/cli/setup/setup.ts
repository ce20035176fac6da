/** Implements `countermand setup`, and writes the file .env. */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { environment } from '../../config.ts';
import type { Command } from '../command.ts';
import { print } from '../output.ts';
import { openAsk } from './ask.ts';
import { askForAll } from './questions.ts';

export const setup: Command = {
  usage: `  countermand setup           asks for what the bot needs, tests it, and writes it to .env in this folder`,
  async run(args) {
    parseArgs({ args, options: {} });
    mustBeNew();
    if (!process.stdin.isTTY) throw new Error('Setup asks questions. Run it in a terminal.');
    const ask = openAsk();
    try {
      const variables = await askForAll(ask, environment());
      writeEnvFile(variables);
    } finally {
      ask.close();
    }
    await print(NEXT);
  },
};

const NEXT = [
  '',
  'Everything is in .env, which only you can read. What comes next:',
  '  1. Start the bot: npm start in a clone, node dist/countermand.mjs in a release (docs/deploying.md for production)',
  '  2. In Slack, type /countermand connect: it connects the workspace to the order service',
  '  3. "countermand doctor" checks all of it at any time',
];

const ENV_FILE = '.env';

/** @throws in one sentence, if there is one already: it may hold secrets that nothing else holds */
function mustBeNew(): void {
  if (!existsSync(ENV_FILE)) return;
  throw new Error(
    `There is a file ${ENV_FILE} in this folder already. Change it by hand and check it with "countermand doctor", or move it away and run this again.`,
  );
}

/** @throws if the file exists by now */
function writeEnvFile(variables: Record<string, string>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  writeFileSync(ENV_FILE, lines.join(''), { mode: 0o600, flag: 'wx' });
}

/** Quotes what would end the value (https://nodejs.org/api/environment_variables.html#dotenv). @throws if no quote is left */
function quoted(name: string, value: string): string {
  if (!/[\s#'"`]/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each));
  if (quote === undefined)
    throw new Error(`${name} can not be written to ${ENV_FILE}: it has all three quotes.`);
  return quote + value + quote;
}
