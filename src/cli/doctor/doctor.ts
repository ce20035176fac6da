/** Implements `countermand doctor`. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import leven from 'leven';
import { type Adapters, loadOutside, openAdapters, SILENT } from '../../compose/adapters.ts';
import {
  type Config,
  ConfigError,
  environment,
  readConfig,
  secretsIn,
  VARIABLES,
  type Variables,
} from '../../config.ts';
import { mask } from '../../log.ts';
import { boltLogger } from '../../slack/client/clients.ts';
import { countUnopened } from '../../workspaces/cipher.ts';
import { type Command, missingDatabase } from '../command.ts';
import { print } from '../terminal.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { checkOrderService } from './order-service.ts';
import { checkPublicUrl } from './public-url.ts';
import { checkSlack } from './slack.ts';
import { checkQueue, checkStorage, noDatabase } from './storage.ts';

const OPTIONS = {
  json: { type: 'boolean', default: false },
  messages: { type: 'boolean', default: false },
  'message-to': { type: 'string' },
} as const;

export const doctor: Command = {
  usage: `  countermand doctor [--message-to U...] [--messages] [--json]
                              checks the configuration, the storage, Slack, the order service and the public address;
                              says what to do, and exits with 1 if something must be done
      --message-to            sends this person a direct message, to check that Slack takes one
      --messages              has Slack judge every message and form of the bot, and posts none (takes some minutes)`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const variables = environment();
    const { config, findings: ofConfiguration } = checkConfiguration(variables);
    const node = ok('node', `${process.version}`);
    const checked = config
      ? [
          ...(await checkAuditFile(config)),
          ...(await examine(config, { messageTo: values['message-to'], messages: values.messages })),
        ]
      : [];
    const masked = masking(secretsIn(variables));
    const findings = [...ofConfiguration, node, ...checked].map((each) => ({
      ...each,
      text: masked(each.text),
    }));
    await print(values.json ? [JSON.stringify(findings)] : findings.map(lineOf));
    const problems = findings.filter(({ status }) => status === 'problem').length;
    if (problems > 0) throw new Error(`Problems: ${problems}. See the lines marked "problem".`);
  },
};

const lineOf = ({ check, status, text }: Finding): string => `${status.padEnd(8)}${check}: ${text}`;

/** Removes secrets from texts: an error of a library might hold one. */
function masking(secrets: readonly string[]): (text: string) => string {
  // One secret may be part of another: the longer one must be found first.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  const any = new RegExp(longestFirst.map((secret) => RegExp.escape(secret)).join('|') || '(?!)', 'g');
  return (text) => mask(text).replace(any, '[masked]');
}

type Wanted = { messageTo: string | undefined; messages: boolean };

async function examine(config: Config, wanted: Wanted): Promise<Finding[]> {
  const outside = await loadOutside(config);
  const { close, ...network } = outside.connectSlack();
  const { now, sleep, uuid } = outside.runtime;
  const api = { apiUrl: config.slack.apiUrl, logger: boltLogger(SILENT), ...network };
  try {
    const slackWith = (adapters: Adapters | 'unusable' | undefined) =>
      checkSlack({ config, adapters, api, now, sleep, ...wanted });
    const address = () => checkPublicUrl(config, { send: network.send, challenge: uuid(), now: now() });
    const missing = missingDatabase(config);
    if (missing !== undefined)
      return [noDatabase(missing), ...(await slackWith(undefined)), ...(await address())];
    return await withStorage(config, async (adapters, { isUsable, findings }) => [
      ...findings,
      ...(isUsable ? [...(await checkQueue(adapters)), ...(await checkKeys(adapters))] : []),
      ...(await slackWith(isUsable ? adapters : 'unusable')),
      ...(await checkOrderService(adapters, config.orderService.url, isUsable)),
      ...(await address()),
    ]);
  } finally {
    await close();
  }
}

async function withStorage(
  config: Config,
  use: (adapters: Adapters, checked: Awaited<ReturnType<typeof checkStorage>>) => Promise<Finding[]>,
): Promise<Finding[]> {
  const adapters = await openAdapters(config).catch((error: Error) => problem('storage', error.message));
  if ('check' in adapters) return [adapters];
  try {
    return await use(adapters, await checkStorage(adapters));
  } finally {
    await adapters.close();
  }
}

async function checkKeys({ sealed }: Adapters): Promise<Finding[]> {
  const unopened = await countUnopened(sealed, new AbortController().signal);
  if (unopened === 0) return [ok('keys', 'open all stored secrets')];
  return [
    problem(
      'keys',
      `Workspaces or organizations with secrets that no key opens: ${unopened}. Put back the key that sealed them (SECRET_KEYS, or the key file), or connect and install these again.`,
    ),
  ];
}

/** Checks the environment: mistakes, variables that are nearly one of the bot's, and the file of the audit stream. */

/** @returns `config`: undefined if it has mistakes */
function checkConfiguration(variables: Variables): {
  config: Config | undefined;
  findings: Finding[];
} {
  const near = nearMisses(Object.keys(variables)).map(([name, meant]) =>
    warning(
      'configuration',
      `${name} is set, and the bot reads ${meant}. Rename it, if that is what you mean.`,
    ),
  );
  try {
    const config = readConfig(variables, false);
    return { config, findings: [ok('configuration', 'all variables can be read'), ...near] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((sentence) => problem('configuration', sentence));
    return { config: undefined, findings: [...findings, ...near] };
  }
}

/** A name of this length may differ in two letters, and a shorter one in none: two make another word (HOST, HOME). */
const LONG = 8;

/** @returns the names that are none of the bot's, each with the one that it nearly is */
function nearMisses(names: readonly string[]): [name: string, meant: string][] {
  return names.flatMap((name) => {
    if (VARIABLES.includes(name)) return [];
    const spelled = name.trim().toUpperCase().replaceAll('-', '_');
    const meant = VARIABLES.find((known) => leven(spelled, known) <= (known.length < LONG ? 0 : 2));
    return meant === undefined ? [] : [[name, meant]];
  });
}

const WHAT = 'audit file';

/** Checks AUDIT_FILE. The user of the terminal may have other rights than the user of the bot: the documents say so. */
async function checkAuditFile({ auditFile }: Pick<Config, 'auditFile'>): Promise<Finding[]> {
  if (auditFile === undefined) return [];
  if (auditFile === '-') return [ok(WHAT, 'is standard output')];
  const found = await stat(auditFile).then(
    (stats) => stats,
    () => undefined,
  );
  if (found?.isDirectory())
    return [problem(WHAT, `AUDIT_FILE must name a file, and ${auditFile} is a folder.`)];
  return access(found ? auditFile : dirname(auditFile), constants.W_OK).then(
    () => [ok(WHAT, 'can be written')],
    ({ code }) => [
      problem(
        WHAT,
        `${auditFile} can not be written (${code}). Make its folder, or give the user of the bot the right to write there.`,
      ),
    ],
  );
}
