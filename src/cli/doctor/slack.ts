/** Checks Slack: tokens, scopes, Socket Mode, the messages tab and the clock. */
import type { Adapters } from '../../compose/adapters.ts';
import type { Config } from '../../config.ts';
import { isTokenRefused } from '../../slack/client/access.ts';
import type { SlackApi } from '../../slack/client/clients.ts';
import {
  type BotProbe,
  probeAppToken,
  probeBotToken,
  probeDirectMessage,
  type Refused,
} from '../../slack/client/probe.ts';
import { problemOfPlace } from '../../slack/install/single-installation.ts';
import { clockFinding, type Finding, ok, problem, unknown } from './finding.ts';

/** As many installations as an operator may want to read about. The daily search of the bot checks all. */
const MOST_INSTALLATIONS_CHECKED = 20;

type Given = {
  config: Config;
  /** Undefined: there is no database yet. `unusable`: the storage can't be opened or written. */
  adapters: Adapters | 'unusable' | undefined;
  api: SlackApi;
  now: () => number;
  messageTo: string | undefined;
  /** Whether Slack is to judge all that the bot can say. */
  messages: boolean;
  sleep: (ms: number) => Promise<unknown>;
};

/** Checks all known bot tokens, and sends a message or has messages judged, if that is wanted. */
export async function checkSlack(given: Given): Promise<Finding[]> {
  const found = await botTokens(given);
  const known = typeof found === 'string' ? [] : found;
  const tokens = known.filter(({ isExpired }) => !isExpired);
  const probes = await Promise.all(
    tokens.map(async (token) => ({
      ...token,
      probe: await probeBotToken(token.botToken, given.api, given.now),
    })),
  );
  return [
    ...(typeof found === 'string' ? [unknown('slack token', found)] : []),
    // The bot renews a token when it needs it, and once a day.
    ...known
      .filter(({ isExpired }) => isExpired)
      .map(({ name }) => ok('slack token', `${name} has expired, and is renewed before it is used again`)),
    ...probes.flatMap(({ name, probe }) => aboutToken(name, probe)),
    ...aboutClock(
      given.config.slack.transport,
      probes.map(({ probe }) => probe),
    ),
    ...(await aboutSocketMode(given)),
    ...(await aboutMessagesTab(given, tokens)),
    // Loaded only where it is used: it renders all that the bot can say.
    ...(given.messages
      ? await (await import('./messages.ts')).checkMessages(given, tokens[0]?.botToken)
      : []),
  ];
}

/** The name of the token of a bot that is installed in one workspace. */
const SINGLE = 'SLACK_BOT_TOKEN';

/** `isExpired`: the token has expired while nobody needed it, and Slack has not refused to exchange it for a new one. */
type BotToken = { name: string; botToken: string; isExpired?: boolean };

/** @returns the known bot tokens; or a sentence that says why none is known */
async function botTokens({ config, adapters, now }: Given): Promise<BotToken[] | string> {
  const { installing } = config.slack;
  if (installing.type === 'token') return [{ name: SINGLE, botToken: installing.botToken }];
  if (adapters === 'unusable')
    return 'The storage cannot be used, so no installation can be read, and no token was checked.';
  const known: BotToken[] = [];
  let unreadable = 0;
  for await (const id of adapters?.installations.ids() ?? []) {
    const stored = await adapters?.installations.get(id).catch(() => 'unreadable' as const);
    if (stored === 'unreadable') unreadable += 1;
    else if (stored) {
      const { tokens, refusedAt, expiresAt = Number.POSITIVE_INFINITY } = stored;
      known.push({
        name: `the bot token of ${id}`,
        botToken: tokens.bot,
        isExpired: tokens.refresh !== undefined && refusedAt === undefined && expiresAt <= now(),
      });
    }
    if (known.length === MOST_INSTALLATIONS_CHECKED) break;
  }
  if (known.length > 0) return known;
  return unreadable > 0
    ? 'No stored installation can be read, so no token was checked. The line about the keys says what to do.'
    : 'No installation is known, so no token was checked. Open /slack/install at PUBLIC_URL to install the bot.';
}

function aboutToken(name: string, probe: BotProbe): Finding[] {
  if (probe.type !== 'accepted') return [problem('slack token', refusedText(name, probe))];
  const { workspace, missing } = probe;
  const placed = name === SINGLE ? problemOfPlace(workspace) : undefined;
  if (placed !== undefined) return [problem('slack token', placed)];
  return [
    ok('slack token', `Slack accepts ${name} (${workspace})`),
    missing.length === 0
      ? ok('slack scopes', `${workspace} has granted the scopes of manifest.yml`)
      : problem(
          'slack scopes',
          `${name} lacks ${missing.join(', ')}. Install the app again in ${workspace}, with the scopes of manifest.yml, and set SLACK_BOT_TOKEN to its new token, if you use it.`,
        ),
  ];
}

const refusedText = (name: string, { type, code }: Refused): string =>
  type === 'refused'
    ? `Slack does not accept ${name} (${code}). Copy it again from the pages of the app, or install the app again.`
    : `Slack cannot be reached (${code}). Check the network and SLACK_API_URL, or see https://slack-status.com.`;

/** Slack's HTTP requests are refused from five minutes on (src/slack/transport/receiver.ts). Socket Mode has none. */
const MOST_OFFSET_MS = 5 * 60_000;

function aboutClock({ type }: Config['slack']['transport'], probes: readonly BotProbe[]): Finding[] {
  const [offset] = probes.flatMap((probe) => (probe.type === 'accepted' ? (probe.offsetMs ?? []) : []));
  if (offset === undefined) return [];
  const finding = clockFinding('this machine', offset, "Slack's");
  if (type === 'http' && Math.abs(offset) > MOST_OFFSET_MS)
    return [problem('clock', `${finding.text} The bot refuses what Slack sends until then.`)];
  return [finding];
}

async function aboutSocketMode({ config, api }: Given): Promise<Finding[]> {
  const { transport } = config.slack;
  if (transport.type === 'http') return [];
  const probe = await probeAppToken(transport.appToken, api);
  return [
    probe.type === 'accepted'
      ? ok('socket mode', 'Slack accepts SLACK_APP_TOKEN')
      : problem('socket mode', refusedText('SLACK_APP_TOKEN', probe)),
  ];
}

const TEST_MESSAGE = 'This is a test by the operator of Countermand. There is nothing to do.';

async function aboutMessagesTab(
  { messageTo: person, api }: Given,
  tokens: readonly BotToken[],
): Promise<Finding[]> {
  if (person === undefined)
    return [
      unknown(
        'messages tab',
        'Only a direct message shows whether Slack takes one. Run this with --message-to and the id of a person (U...) to send one.',
      ),
    ];
  if (tokens.length === 0) return [unknown('messages tab', 'No bot token is known, so no message was sent.')];
  const codes: string[] = [];
  for (const { name, botToken } of tokens) {
    const probe = await probeDirectMessage({ botToken, person, text: TEST_MESSAGE }, api);
    const by = tokens.length > 1 ? `, by ${name}` : '';
    if (probe.type === 'accepted') return [ok('messages tab', `${person} has a test message${by}`)];
    codes.push(probe.code);
    if (probe.code !== UNKNOWN_PERSON && !isTokenRefused(probe.code)) break;
  }
  const code = codes.findLast((each) => each !== UNKNOWN_PERSON) ?? UNKNOWN_PERSON;
  if (code === UNKNOWN_PERSON && tokens.length > 1) return [problem('messages tab', UNKNOWN_EVERYWHERE)];
  const why = PROBE_REFUSALS[code] ?? `The test message to ${person} was not sent (${code}).`;
  return [problem('messages tab', why)];
}

/** Slack's error for a person of another workspace, or of none. */
const UNKNOWN_PERSON = 'channel_not_found';

const UNKNOWN_EVERYWHERE =
  'Slack knows nobody by the id in --message-to in the workspaces whose tokens are checked above. Check it.';

const PROBE_REFUSALS: Readonly<Record<string, string>> = {
  messages_tab_disabled:
    'Slack takes no direct message of the bot. Switch on "Messages Tab" on the page "App Home" of the app.',
  [UNKNOWN_PERSON]: 'Slack knows nobody in this workspace by the id in --message-to. Check it.',
};
