/** Implements `countermand connect` and `countermand disconnect`. */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Adapters, SILENT } from '../compose/adapters.ts';
import { type Config, loadConfig } from '../config.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { createTokenWatch } from '../slack/client/access.ts';
import { failureOf } from '../slack/client/calls.ts';
import { boltLogger } from '../slack/client/clients.ts';
import {
  CONNECT_PROBLEMS,
  disconnectedText,
  doubtSentence,
  formerTokenText,
  planTexts,
} from '../slack/features/connection/text.ts';
import { createSingleInstallation, createStoredInstallations } from '../slack/install/find-installations.ts';
import { INSTALL_PATH } from '../slack/install/installer.ts';
import type { Connected } from '../workspaces/connection/connect.ts';
import { type Command, UsageError, withAdapters, workspaceOf } from './command.ts';
import { plainText, print } from './terminal.ts';

const CONNECT = {
  workspace: { type: 'string' },
  'token-stdin': { type: 'boolean', default: false },
  graphql: { type: 'boolean', default: false },
  exclusive: { type: 'boolean', default: false },
  'new-secret': { type: 'boolean', default: false },
  'revoke-former': { type: 'boolean', default: false },
} as const;

export const connect: Command = {
  usage: `  countermand connect --workspace T... --token-stdin [--graphql] [--exclusive] [--new-secret]
                      [--revoke-former]
                              connects a workspace to the order service, with the API token from standard input
      --graphql               the token is a GraphQL token (the order service is ending support for these)
      --exclusive             only Countermand uses the token, so it may be revoked later
      --new-secret            replaces the events secret; the former one works for another day
      --revoke-former         revokes the token that this one replaces`,
  async run(args) {
    const { values } = parseArgs({ args, options: CONNECT });
    const workspace = workspaceOf(values);
    if (!values['token-stdin']) {
      throw new UsageError('--token-stdin is missing. Add it, and give the token on standard input.');
    }
    const token = (await text(process.stdin)).trim();
    if (token === '')
      throw new Error('Standard input was empty, so nothing was saved. Give the token there.');
    const config = loadConfig();
    const { exclusive, graphql, 'new-secret': newSecret, 'revoke-former': revokeFormer } = values;
    const how = { exclusive, newSecret, revokeFormer };
    const tokenKind = graphql ? 'graphql' : 'rest';
    const act = async (adapters: Adapters) => {
      await mustBeInstalledIn(workspace, config, adapters);
      await report(await adapters.connect({ workspace, token, tokenKind, ...how, by: TERMINAL }));
    };
    await withAdapters(config, act, { creates: true });
  },
};

async function report(connected: Connected): Promise<void> {
  if (connected.type !== 'connected') throw new Error(CONNECT_PROBLEMS[connected.type]);
  const { eventsUrl, secret, doubt, former } = connected;
  const lines = [
    secret
      ? 'The workspace is connected. Give both of these to the order service. The secret is shown only now.'
      : 'The workspace is connected. The events URL and its secret have not changed.',
    `Events URL: ${eventsUrl}`,
    ...(secret ? [`Secret:     ${secret}`] : []),
    ...(doubt ? [plainText(doubtSentence(doubt))] : []),
    ...(former ? [plainText(formerTokenText(former))] : []),
  ];
  await print(lines);
}

const DISCONNECT = {
  workspace: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

export const disconnect: Command = {
  usage: `  countermand disconnect --workspace T... [--yes]
                              shows what disconnecting does; with --yes, disconnects the workspace`,
  async run(args) {
    const { values } = parseArgs({ args, options: DISCONNECT });
    const workspace = workspaceOf(values);
    await withAdapters(loadConfig(), async (adapters) => {
      const plan = await adapters.planDisconnect(workspace);
      if (plan.type === 'not_connected') throw new Error(`The workspace ${workspace} is not connected.`);
      if (!values.yes)
        return print([...planTexts(plan).map(plainText), '', 'Run it again with --yes to disconnect.']);
      const disconnected = await adapters.disconnect(workspace, TERMINAL);
      const said = plainText(disconnectedText(disconnected, 'terminal'));
      if (disconnected.type !== 'disconnected') throw new Error(said);
      await print([said]);
    });
  },
};

/** @throws with a message that says what to do */
async function mustBeInstalledIn(
  workspace: string,
  config: Config,
  adapters: Pick<Adapters, 'installations' | 'organizations' | 'outside'>,
): Promise<void> {
  const { installing } = config.slack;
  if (installing.type === 'oauth') return mustBeStored(workspace, config, adapters);
  const known = await workspaceOfToken(installing.botToken, config, adapters);
  if (known === workspace) return;
  throw new Error(
    `The bot is installed in ${known}, not in ${workspace}. Nothing was saved. Use --workspace ${known}, or set SLACK_BOT_TOKEN to the bot token of ${workspace}.`,
  );
}

/** Asks Slack for the workspace of the bot token (https://docs.slack.dev/reference/methods/auth.test). */
async function workspaceOfToken(
  botToken: string,
  { slack }: Config,
  { outside }: Pick<Adapters, 'outside'>,
): Promise<string | undefined> {
  const { close, ...network } = outside.connectSlack();
  const api = { apiUrl: slack.apiUrl, logger: boltLogger(SILENT), ...network };
  const installation = createSingleInstallation(botToken, api, createTokenWatch(SILENT));
  try {
    const [workspace] = await Array.fromAsync(installation.workspaces());
    return workspace;
  } catch (error) {
    throw new Error(
      `Slack did not answer in which workspace the bot is installed (${failureOf(error).code}). Nothing was saved. Check SLACK_BOT_TOKEN, and try again.`,
    );
  } finally {
    await close();
  }
}

async function mustBeStored(
  workspace: string,
  { publicUrl }: Config,
  { installations, organizations }: Pick<Adapters, 'installations' | 'organizations'>,
): Promise<void> {
  // No token is used here, so that none is renewed.
  const freshen = async <T>(stored: T) => stored;
  const { servedBy } = createStoredInstallations(installations, organizations, { freshen });
  if ((await servedBy(workspace)) !== undefined) return;
  const page = new URL(INSTALL_PATH.slice(1), publicUrl).href;
  throw new Error(
    `Countermand is not installed in ${workspace}. Nothing was saved. Install it there first: ${page}. If its organization has installed it, type /countermand help in that workspace once, and try again.`,
  );
}
