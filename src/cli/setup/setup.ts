/** Implements `countermand setup`. */
import { parseArgs } from 'node:util';
import { environment } from '../../config.ts';
import { type Command, print } from '../command.ts';
import { openAsk } from './ask.ts';
import { mustBeNew, writeEnvFile } from './env-file.ts';
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
    print(NEXT);
  },
};

const NEXT = [
  '',
  'Everything is in .env, which only you can read. What comes next:',
  '  1. Start the bot: npm start (docs/running.md for production)',
  '  2. In Slack, type /countermand connect: it connects the workspace to the order service',
  '  3. "countermand doctor" checks all of it at any time',
];
