/** Implements `countermand connect` and `countermand disconnect`. */
import { parseArgs } from 'node:util';
import type { Adapters, Outside } from '../compose/adapters.ts';
import type { Config } from '../config.ts';
import type { Log } from '../outbox/ports.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { probeBotToken } from '../slack/client/probe.ts';
import { createStoredInstallations } from '../slack/install/find-installations.ts';
import { installUrl } from '../slack/install/installer.ts';
import { problemOfPlace } from '../slack/install/single-installation.ts';
import {
  CONNECT_PROBLEMS,
  disconnectedText,
  doubtSentence,
  formerTokenText,
  planTexts,
} from '../slack/messages/sentences/connection-texts.ts';
import type { Connected } from '../workspaces/connection/connect.ts';
import { reportRevocation } from '../workspaces/connection/revoke-token.ts';
import { type Command, FLAG, TEXT, UsageError, withAdapters, withSlackApi, workspaceOf } from './command.ts';
import { plainText, print } from './terminal.ts';

export const connect: Command = {
  usage: `  countermand connect --workspace T... --token-stdin [--graphql] [--exclusive] [--new-secret]
                      [--end-former-secret] [--revoke-former]
                              connects a workspace to the order service, with the API token from standard input
      --graphql               the token is a GraphQL token (the order service is ending support for these); a
                              token that is connected again keeps its kind
      --exclusive             only Countermand uses the token, so it may be revoked later
      --new-secret            replaces the events secret; the former one works for another day. With it alone, the same
                              token stays marked as --exclusive
      --end-former-secret     with --new-secret: the former events secret ends at once, so events are refused until the
                              order service has the new one
      --revoke-former         revokes the token that this one replaces`,
  async run(args) {
    const { values } = parseArgs({
      args,
      options: {
        workspace: TEXT,
        'token-stdin': FLAG,
        graphql: FLAG,
        exclusive: FLAG,
        'new-secret': FLAG,
        'end-former-secret': FLAG,
        'revoke-former': FLAG,
      },
    });
    const workspace = workspaceOf(values);
    if (!values['token-stdin']) {
      throw new UsageError('--token-stdin is missing. Add it, and give the token on standard input.');
    }
    const {
      'new-secret': newSecret,
      'end-former-secret': endsFormerSecret,
      'revoke-former': revokeFormer,
    } = values;
    if (endsFormerSecret && !newSecret)
      throw new UsageError('--new-secret is missing. Without another secret, the present one cannot end.');
    const token = (await readInput()).trim();
    if (token === '')
      throw new Error('Standard input was empty, so nothing was saved. Give the token there.');
    await withAdapters(
      async ({ adapters, config, log }) => {
        await mustBeInstalledIn(workspace, config, adapters);
        const how = {
          tokenKind: values.graphql ? ('graphql' as const) : undefined,
          // With a new secret alone, the same token stays marked.
          exclusive: values.exclusive || (newSecret ? undefined : false),
          newSecret,
          endsFormerSecret,
          revokeFormer,
          by: TERMINAL,
        };
        await report(await adapters.connect({ workspace, token, ...how }), workspace, log);
      },
      { creates: true },
    );
  },
};

const NO_LONGER_EXCLUSIVE =
  'This workspace had a token marked as used by Countermand alone. The present one is not marked: disconnecting will not revoke it. To mark it, connect again with --exclusive, without --new-secret.';

/** Longer than any token. Without a limit, a large file might not fit a string. */
const MOST_CHARACTERS = 100_000;

async function readInput(): Promise<string> {
  let input = '';
  for await (const part of process.stdin.setEncoding('utf8')) {
    input += part;
    if (input.length > MOST_CHARACTERS) throw new Error(CONNECT_PROBLEMS.malformed);
  }
  return input;
}

async function report(connected: Connected, workspace: string, log: Log): Promise<void> {
  if (connected.type !== 'connected') throw new Error(CONNECT_PROBLEMS[connected.type]);
  const { eventsUrl, secret, doubt, former, isNoLongerExclusive } = connected;
  await print([
    secret
      ? 'The workspace is connected. Give both of these to the order service. The secret is shown only now.'
      : 'The workspace is connected. The events URL and its secret have not changed.',
    `Events URL: ${eventsUrl}`,
    ...(secret ? [`Secret:     ${secret}`] : []),
    ...(doubt ? [plainText(doubtSentence(doubt))] : []),
    ...(former ? [plainText(formerTokenText(former, reportRevocation(log, workspace, former)))] : []),
    ...(isNoLongerExclusive ? [NO_LONGER_EXCLUSIVE] : []),
  ]);
}

export const disconnect: Command = {
  usage: `  countermand disconnect --workspace T... [--yes]
                              shows what disconnecting does; with --yes, disconnects the workspace`,
  async run(args) {
    const { values } = parseArgs({ args, options: { workspace: TEXT, yes: FLAG } });
    const workspace = workspaceOf(values);
    await withAdapters(async ({ adapters, log }) => {
      const plan = await adapters.planDisconnect(workspace);
      if (plan.type === 'not_connected') throw new Error(`The workspace ${workspace} is not connected.`);
      if (!values.yes)
        return print([...planTexts(plan).map(plainText), '', 'Run it again with --yes to disconnect.']);
      const disconnected = await adapters.disconnect(workspace, TERMINAL);
      const reference =
        disconnected.type === 'not_revoked'
          ? reportRevocation(log, workspace, disconnected.revocation)
          : undefined;
      const said = plainText(disconnectedText(disconnected, 'terminal', reference));
      if (disconnected.type !== 'disconnected') throw new Error(said);
      await print([said]);
    });
  },
};

/** Checks that the bot is installed in a workspace. @throws with a message that says what to do */
async function mustBeInstalledIn(
  workspace: string,
  config: Config,
  { installations, organizations, outside }: Adapters,
): Promise<void> {
  const { installing } = config.slack;
  if (installing.type === 'token') {
    const known = await workspaceOfToken(installing.botToken, config, outside);
    if (known === workspace) return;
    const problem = problemOfPlace(known);
    if (problem !== undefined) throw new Error(`${problem} Nothing was saved.`);
    throw new Error(
      `The bot is installed in ${known}, not in ${workspace}. Nothing was saved. Use --workspace ${known}, or set SLACK_BOT_TOKEN to the bot token of ${workspace}.`,
    );
  }
  // Slack is not asked, and no token is renewed: only what is stored counts.
  const asking = { freshen: async <T>(stored: T) => stored, isListed: async () => false };
  const { servedBy } = createStoredInstallations(installations, organizations, asking);
  if ((await servedBy(workspace)) !== undefined) return;
  throw new Error(
    `Countermand is not installed in ${workspace}. Nothing was saved. Install it there first: ${installUrl(config.publicUrl)}. If its organization has installed it, type /countermand help in that workspace once, and try again.`,
  );
}

async function workspaceOfToken(botToken: string, config: Config, outside: Outside): Promise<string> {
  const probe = await withSlackApi(outside, config, (api) =>
    probeBotToken(botToken, api, outside.runtime.now),
  );
  if (probe.type === 'accepted') return probe.workspace;
  throw new Error(
    `Slack did not answer in which workspace the bot is installed (${probe.code}). Nothing was saved. Check SLACK_BOT_TOKEN, and try again.`,
  );
}
