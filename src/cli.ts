/** The terminal commands, for what an admin would rather not do in Slack. */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Config, loadConfig } from './config.ts';
import { createParts, type Parts } from './parts.ts';
import { boltLogger } from './slack/bolt-logger.ts';
import { createSingleInstallation } from './slack/single-installation.ts';
import { doubtSentence } from './slack/ui/connect-texts.ts';
import { disconnectedText, planTexts } from './slack/ui/disconnect-modal.ts';
import { formerTokenText } from './slack/ui/former-token.ts';
import type { Connected } from './workspaces/connect.ts';

const USAGE = `Usage:
  countermand                 starts the bot
  countermand connect --workspace T... --token-stdin [--graphql] [--exclusive] [--new-secret]
                      [--revoke-former]
                              connects a workspace to the order service; the API token comes by standard input
      --graphql               it is a GraphQL token (the order service is withdrawing their support)
      --exclusive             nobody but Countermand uses it, so it may be revoked later
      --new-secret            makes a new events secret where there is one; the former one works for another day
      --revoke-former         has the order service revoke the token that this one takes the place of
  countermand disconnect --workspace T... [--yes]
                              says what disconnecting would do and, with --yes, does it
`;

const PROBLEMS: Record<Exclude<Connected['type'], 'connected'>, string> = {
  malformed: 'A token is one word without spaces. Nothing was saved.',
  refused: 'The order service does not accept this token. Nothing was saved.',
  unreachable:
    'The order service could not be reached, so the token could not be checked. Nothing was saved.',
  overtaken:
    'Somebody else has connected or disconnected this workspace in the same moment, and that is in force.',
};

/** A mistake in the command line: the person gets a sentence and the usage. */
class UsageError extends Error {}

const CONNECT_OPTIONS = {
  workspace: { type: 'string' },
  'token-stdin': { type: 'boolean', default: false },
  graphql: { type: 'boolean', default: false },
  exclusive: { type: 'boolean', default: false },
  'new-secret': { type: 'boolean', default: false },
  'revoke-former': { type: 'boolean', default: false },
} as const;

async function connect(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: CONNECT_OPTIONS });
  const workspace = workspaceOf(values);
  if (!values['token-stdin']) {
    throw new UsageError('--token-stdin is missing: the token is read from standard input.');
  }
  const token = (await text(process.stdin)).trim();
  const config = loadConfig();
  await mustBeInstalledIn(workspace, config);
  const { exclusive, graphql, 'new-secret': newSecret, 'revoke-former': revokeFormer } = values;
  const how = { exclusive, newSecret, revokeFormer };
  const tokenKind = graphql ? 'graphql' : 'rest';
  await withParts(config, async (parts) =>
    report(await parts.connect({ workspace, token, tokenKind, ...how, by: 'terminal' })),
  );
}

const DISCONNECT_OPTIONS = {
  workspace: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

async function disconnect(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: DISCONNECT_OPTIONS });
  const workspace = workspaceOf(values);
  await withParts(loadConfig(), async (parts) => {
    const plan = await parts.planDisconnect(workspace);
    if (plan.type === 'not_connected') throw new Error(`The workspace ${workspace} is not connected.`);
    if (!values.yes)
      return print([...planTexts(plan).map(plainText), '', 'Run it again with --yes to do it.']);
    const disconnected = await parts.disconnect(workspace);
    const said = plainText(disconnectedText(disconnected, 'terminal'));
    if (disconnected.type !== 'disconnected') throw new Error(said);
    print([said]);
  });
}

/** What is written for Slack, for a terminal. */
const plainText = (mrkdwn: string): string => mrkdwn.replace(/^:\w+: /, '').replaceAll('*', '');

function print(lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function workspaceOf({ workspace }: { workspace?: string | undefined }): string {
  if (workspace && /^[TE][A-Z0-9]+$/.test(workspace)) return workspace;
  throw new UsageError('--workspace must be the id of a Slack workspace, which begins with T.');
}

/** What a command has to say it says itself. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

async function withParts(config: Config, work: (parts: Parts) => Promise<void>): Promise<void> {
  const parts = createParts(config);
  try {
    await parts.storage.open(SILENT);
    await work(parts);
  } finally {
    await parts.close();
  }
}

/** A mistyped workspace would be connected in vain. Where Slack can't be asked, the word of the admin counts. */
async function mustBeInstalledIn(workspace: string, { slack }: Config): Promise<void> {
  const installation = createSingleInstallation(slack.botToken, { ...slack, logger: boltLogger(SILENT) });
  const known = await installation.identify().catch(() => undefined);
  if (known && known.workspace !== workspace) {
    throw new Error(`The bot is installed in ${known.workspace}, not in ${workspace}. Nothing was saved.`);
  }
}

function report(connected: Connected): void {
  if (connected.type !== 'connected') throw new Error(PROBLEMS[connected.type]);
  const { eventsUrl, secret, doubt, former } = connected;
  const lines = [
    secret
      ? 'The workspace is connected. Give these two to the order service; the secret is shown only now.'
      : 'The workspace is connected. The events URL and its secret are as they were.',
    `Events URL: ${eventsUrl}`,
    ...(secret ? [`Secret:     ${secret}`] : []),
    ...(doubt ? [plainText(doubtSentence(doubt))] : []),
    ...(former ? [plainText(formerTokenText(former))] : []),
  ];
  print(lines);
}

const COMMANDS: Record<string, (args: string[]) => Promise<void>> = { connect, disconnect };

/** @param args what follows `countermand` @returns the exit code: 0 done, 1 not done, 2 not understood */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`There is no command "${name}".`);
    await command(args);
    return 0;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  const misused = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n${misused ? `\n${USAGE}` : ''}`);
  return misused ? 2 : 1;
}
