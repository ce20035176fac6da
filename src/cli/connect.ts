/** Implements `countermand connect`. */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import { loadConfig } from '../config.ts';
import { TERMINAL } from '../requests/model/audit/audit-entry.ts';
import { doubtSentence, formerTokenText, problemOf } from '../slack/features/connection/connect-text.ts';
import type { Connected } from '../workspaces/connection/connect.ts';
import { type Command, print, UsageError, withAdapters, workspaceOf } from './command.ts';
import { mustBeInstalledIn } from './installed-in.ts';
import { plainText } from './terminal-text.ts';

const OPTIONS = {
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
    const { values } = parseArgs({ args, options: OPTIONS });
    const workspace = workspaceOf(values);
    if (!values['token-stdin']) {
      throw new UsageError('--token-stdin is missing. Add it, and give the token on standard input.');
    }
    const token = (await text(process.stdin)).trim();
    const config = loadConfig();
    const { exclusive, graphql, 'new-secret': newSecret, 'revoke-former': revokeFormer } = values;
    const how = { exclusive, newSecret, revokeFormer };
    const tokenKind = graphql ? 'graphql' : 'rest';
    const act = async (adapters: Adapters) => {
      await mustBeInstalledIn(workspace, config, adapters);
      report(await adapters.connect({ workspace, token, tokenKind, ...how, by: TERMINAL }));
    };
    await withAdapters(config, act, { creates: true });
  },
};

function report(connected: Connected): void {
  if (connected.type !== 'connected') throw new Error(problemOf(connected.type));
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
  print(lines);
}
