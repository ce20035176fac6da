/** Implements `countermand doctor`: checks the environment, and runs the checks in the files beside this one. */
import { parseArgs } from 'node:util';
import leven from 'leven';
import { type Adapters, loadOutside, openAdapters } from '../../compose/adapters.ts';
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
import {
  type Command,
  FLAG,
  isPersonId,
  missingDatabase,
  TEXT,
  UsageError,
  withSlackApi,
} from '../command.ts';
import { print } from '../terminal.ts';
import { checkConnections, checkHosts, checkPublicUrl, checkReached } from './addresses.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { checkSlack } from './slack.ts';
import {
  checkAuditFile,
  checkClock,
  checkKeys,
  checkPauses,
  checkQueue,
  checkStorage,
  noDatabase,
} from './storage.ts';

export const doctor: Command = {
  usage: `  countermand doctor [--message-to U...] [--messages] [--json]
                              checks the configuration, the storage, Slack, the order service and the public address;
                              says what to do, and exits with 1 if something must be done
      --message-to            sends this person a direct message, to check that Slack takes one
      --messages              has Slack judge every message and form of the bot, and posts none (takes some minutes)`,
  async run(args) {
    const { values } = parseArgs({ args, options: { json: FLAG, messages: FLAG, 'message-to': TEXT } });
    const messageTo = values['message-to'];
    if (messageTo !== undefined && !isPersonId(messageTo))
      throw new UsageError('--message-to must be the id of a person in Slack (U...).');
    const variables = environment();
    const { config, findings: ofConfiguration } = checkConfiguration(variables);
    const wanted = { messageTo, messages: values.messages };
    const checked = config
      ? [...(await checkHosts(config)), ...(await checkAuditFile(config)), ...(await examine(config, wanted))]
      : [];
    const masked = masking(secretsIn(variables));
    const findings = [...ofConfiguration, ok('node', process.version), ...checked].map((each) => ({
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

type Wanted = Pick<Parameters<typeof checkSlack>[0], 'messageTo' | 'messages'>;

async function examine(config: Config, wanted: Wanted): Promise<Finding[]> {
  const outside = await loadOutside(config);
  const { now, sleep, uuid } = outside.runtime;
  return withSlackApi(outside, config, (api) =>
    withStorage(config, async (adapters, findings) => {
      const isUsable = adapters !== undefined && adapters !== 'unusable';
      const reached = await checkReached(config.orderService.url);
      return [
        ...findings,
        ...(isUsable ? await checkUsable(adapters) : []),
        ...(await checkSlack({ config, adapters, api, now, sleep, ...wanted })),
        reached,
        ...(isUsable && reached.status !== 'problem' ? await checkConnections(adapters) : []),
        ...(await checkPublicUrl(config, { send: api.send, challenge: uuid(), now: now() })),
      ];
    }),
  );
}

const checkUsable = async (adapters: Adapters): Promise<Finding[]> => [
  ...(await checkQueue(adapters)),
  ...(await checkKeys(adapters)),
  ...(await checkClock(adapters)),
  ...(await checkPauses(adapters)),
];

/** Checks the storage. @param use gets no adapters if there is no database yet: nothing may create one here */
async function withStorage(
  config: Config,
  use: (adapters: Adapters | 'unusable' | undefined, findings: Finding[]) => Promise<Finding[]>,
): Promise<Finding[]> {
  const missing = missingDatabase(config);
  if (missing !== undefined) return use(undefined, [await noDatabase(missing)]);
  const adapters = await openAdapters(config).catch((error: Error) => problem('storage', error.message));
  if ('check' in adapters) return use('unusable', [adapters]);
  try {
    const { isUsable, findings } = await checkStorage(adapters);
    return await use(isUsable ? adapters : 'unusable', findings);
  } finally {
    await adapters.close();
  }
}

/**
 * Checks the environment for mistakes, and for variables that are nearly one of the bot's.
 *
 * @returns `config`: undefined if it has mistakes
 */
function checkConfiguration(variables: Variables): { config?: Config; findings: Finding[] } {
  const near = nearMisses(Object.keys(variables));
  try {
    const config = readConfig(variables, false);
    return { config, findings: [ok('configuration', 'all variables can be read'), ...near] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((sentence) => problem('configuration', sentence));
    return { findings: [...findings, ...near] };
  }
}

/** From this length on, a name may differ in two letters. A shorter one may differ in none: HOME is not meant to be HOST. */
const LONG = 8;

/** Warns of each name that is nearly, but not exactly, one of the bot's variables. */
function nearMisses(names: readonly string[]): Finding[] {
  return names.flatMap((name) => {
    if (VARIABLES.includes(name)) return [];
    const spelled = name.trim().toUpperCase().replaceAll('-', '_');
    const meant = VARIABLES.find((known) => leven(spelled, known) <= (known.length < LONG ? 0 : 2));
    if (meant === undefined) return [];
    return [
      warning(
        'configuration',
        `${name} is set, and the bot reads ${meant}. Rename it, if that is what you mean.`,
      ),
    ];
  });
}
