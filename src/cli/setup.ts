/** Implements `countermand setup`: asks for what the bot needs, and writes the file .env. */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import open from 'open';
import { loadOutside } from '../compose/adapters.ts';
import { configProblem, environment, type Variables } from '../config.ts';
import type { SlackApi } from '../slack/client/clients.ts';
import { probeAppToken, probeBotToken, type Refused } from '../slack/client/probe.ts';
import { problemOfPlace } from '../slack/install/single-installation.ts';
import { type Command, withSlackApi } from './command.ts';
import { checkReached, sendChallenge } from './doctor/addresses.ts';
import { type Answering, answerChallenges, newAppPage } from './slack-app.ts';
import { type Ask, askYesOrNo, openAsk, print, untilGood } from './terminal.ts';

export const setup: Command = {
  usage: `  countermand setup           asks for what the bot needs, tests it, and writes it to .env in this folder`,
  async run(args) {
    parseArgs({ args, options: {} });
    mustBeNew();
    if (!process.stdin.isTTY) throw new Error('Setup asks questions. Run it in a terminal.');
    const ask = openAsk();
    try {
      writeEnvFile(await askForAll(ask, environment()));
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

/** Checks that there is no .env yet, which may hold the only copy of a secret. @throws with a message for the person */
function mustBeNew(): void {
  if (!existsSync(ENV_FILE)) return;
  throw new Error(
    `There is a file ${ENV_FILE} in this folder already. Change it by hand and check it with "countermand doctor", or move it away and run this again.`,
  );
}

/** @throws if the file exists by now */
export function writeEnvFile(variables: Record<string, string>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  writeFileSync(ENV_FILE, lines.join(''), { mode: 0o600, flag: 'wx' });
}

/** Quotes a value if it needs quotes (https://nodejs.org/api/environment_variables.html#dotenv). @throws if it has all three */
function quoted(name: string, value: string): string {
  if (!/[\s#'"`]/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each));
  if (quote === undefined)
    throw new Error(`${name} cannot be written to ${ENV_FILE}: it has all three quotes.`);
  return quote + value + quote;
}

/**
 * Asks for each variable: an answer is tested at once, and asked for again until it works.
 *
 * @param given the environment, of which SLACK_API_URL and HOST are kept
 */
async function askForAll(ask: Ask, given: Variables): Promise<Record<string, string>> {
  const problem = configProblem('SLACK_API_URL', given['SLACK_API_URL'] ?? '');
  if (problem !== undefined) throw new Error(problem);
  const apiUrl = new URL(given['SLACK_API_URL'] || 'https://slack.com/api/');
  // Only the network and the clock are used: no storage is known yet.
  const outside = await loadOutside({ storage: { type: 'sqlite', path: '' } });
  return withSlackApi(outside, { slack: { apiUrl } }, async (api) => {
    const asking = { ask, api, ...outside.runtime };
    const address = await askForAddress(ask, given);
    const slack = await (address.isPublic ? askOverHttp(asking, address) : askForSocketMode(asking, address));
    return {
      ...pick(given, ['SLACK_API_URL', 'HOST']),
      PUBLIC_URL: address.publicUrl.href,
      PORT: address.port,
      ...slack,
      SLACK_BOT_TOKEN: await askForBotToken(asking),
      ORDER_SERVICE_URL: await askForOrderService(ask),
    };
  });
}

type Asking = { ask: Ask; api: SlackApi; now: () => number; uuid: () => string };
type Address = { publicUrl: URL; port: string; host: string; isPublic: boolean };

const pick = (given: Variables, names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));

async function askForAddress(ask: Ask, given: Variables): Promise<Address> {
  const publicUrl = await untilGood(
    () => ask.text('Address of this bot, as the order service and Slack reach it (https://...)'),
    (text) => configProblem('PUBLIC_URL', text),
  );
  const port = await untilGood(
    () => ask.text('Port on which it listens', '3000'),
    (text) => configProblem('PORT', text),
  );
  const isPublic = await askYesOrNo(
    ask,
    'Can Slack reach that address? n: Slack is reached over Socket Mode (y/n)',
    'y',
  );
  return { publicUrl: folderUrl(publicUrl), port, host: given['HOST'] ?? '0.0.0.0', isPublic };
}

/** Returns an address that ends in a slash, so that paths can be appended. */
const folderUrl = (text: string): URL => new URL(text.endsWith('/') ? text : `${text}/`);

async function showPage(ask: Ask, { publicUrl, isPublic }: Address): Promise<void> {
  const page = newAppPage(publicUrl, !isPublic);
  const what = 'Create the Slack app on this page, which has everything filled in, and install it there:';
  await print(['', what, '', page, '']);
  const opens = await askYesOrNo(ask, 'Open it in a browser on this machine? (y/n)', 'n');
  // If no browser starts, the person can still open the printed address.
  if (opens) await open(page).catch(() => undefined);
}

/** Asks for the signing secret, and meanwhile answers Slack's challenge: the signature of that then tests the secret. */
async function askOverHttp(asking: Asking, address: Address): Promise<Record<string, string>> {
  const { ask } = asking;
  const listening = { port: Number(address.port), host: address.host };
  const answering = await answerChallenges(listening).catch((error) => {
    throw new Error(
      `Port ${address.port} cannot be used (${error.code ?? error.message}). Stop what uses it, or choose another one.`,
    );
  });
  try {
    await showPage(ask, address);
    await print([
      'Slack may call the address unverified on the page "Event Subscriptions": press Retry there now.',
    ]);
    const signingSecret = await untilGood(
      () => ask.secret('Signing secret, from the page "Basic Information"'),
      (text) => signingSecretProblem(text, answering),
    );
    await print([await wayInText(asking, address, signingSecret)]);
    return { SLACK_SIGNING_SECRET: signingSecret };
  } finally {
    await answering.close();
  }
}

async function signingSecretProblem(text: string, answering: Answering): Promise<string | undefined> {
  if (text === '') return 'It is empty. Copy it from the page "Basic Information" of the app.';
  const isRight = answering.isSlackSecret(text);
  if (isRight === undefined)
    await print([
      'Slack has sent no challenge yet, so this is not tested. The log of the bot says if it is wrong.',
    ]);
  return isRight === false
    ? "Slack's challenge is not signed with this secret. Copy it again. If it is right, press Retry on Slack's page."
    : undefined;
}

/** Says whether a signed request comes back to this process through the public address. */
async function wayInText(
  { api, now, uuid }: Asking,
  { publicUrl }: Address,
  signingSecret: string,
): Promise<string> {
  const { isRight } = await sendChallenge(publicUrl, {
    send: api.send,
    signingSecret,
    challenge: uuid(),
    now: now(),
  });
  if (isRight) return `A signed request to ${publicUrl.href} arrives here.`;
  return `Warning: a signed request to ${publicUrl.href} did not arrive here. That is well if this network has no way in to its own public address; otherwise check the DNS, the firewall and the load balancer.`;
}

async function askForSocketMode({ ask, api }: Asking, address: Address): Promise<Record<string, string>> {
  await showPage(ask, address);
  const appToken = await untilGood(
    () => ask.secret('App-level token with connections:write, from the page "Basic Information" (xapp-...)'),
    async (text) => {
      const problem = text === '' ? 'It is empty.' : configProblem('SLACK_APP_TOKEN', text);
      const probe = problem === undefined ? await probeAppToken(text, api) : undefined;
      return problem ?? (probe && probe.type !== 'accepted' ? refusedText(probe) : undefined);
    },
  );
  return { SLACK_APP_TOKEN: appToken };
}

function askForBotToken({ ask, api, now }: Asking): Promise<string> {
  return untilGood(
    () => ask.secret('Bot token, from the page "OAuth & Permissions" (xoxb-...)'),
    async (text) => {
      const problem = text === '' ? 'It is empty.' : configProblem('SLACK_BOT_TOKEN', text);
      if (problem !== undefined) return problem;
      const probe = await probeBotToken(text, api, now);
      if (probe.type !== 'accepted') return refusedText(probe);
      const placed = problemOfPlace(probe.workspace);
      if (placed !== undefined) return placed;
      if (probe.missing.length > 0)
        return `It lacks ${probe.missing.join(', ')}. Install the app again with the scopes of the manifest, and give its new token.`;
      await print([`Slack accepts it: ${probe.name} (${probe.workspace}).`]);
      return undefined;
    },
  );
}

const refusedText = ({ type, code }: Refused): string =>
  type === 'refused'
    ? `Slack does not accept it (${code}). Copy it again.`
    : `Slack cannot be reached (${code}). Check the network, and try again.`;

function askForOrderService(ask: Ask): Promise<string> {
  return untilGood(
    () => ask.text('Address of the order service (https://...)'),
    async (text) => {
      const problem = configProblem('ORDER_SERVICE_URL', text);
      if (problem !== undefined) return problem;
      const { status, text: found } = await checkReached(folderUrl(text));
      if (status === 'problem') return found;
      await print([`Order service: ${found}.`]);
      return undefined;
    },
  );
}
