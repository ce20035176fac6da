/** countermand purge */
import { parseArgs } from 'node:util';
import type { Parts } from '../compose/parts.ts';
import { loadConfig } from '../config.ts';
import { forgetWorkspace } from '../workspaces/forget.ts';
import { type Command, print, withParts, workspaceOf } from './command.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

export const purge: Command = {
  usage: `  countermand purge --workspace T... [--yes]
                              says what Countermand keeps about a workspace and, with --yes, removes all of it`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const workspace = workspaceOf(values);
    await withParts(loadConfig(), async (parts) => {
      const kept = await look(parts, workspace);
      if (!values.yes) return print(plan(kept, workspace));
      await forgetWorkspace(
        [...parts.forgets, parts.organizations.forget, parts.installations.forget],
        workspace,
      );
      print([
        `All that Countermand kept about ${workspace} is removed. What stands in Slack stays there.`,
        ...(kept.token ? [`${NOT_REVOKED} Revoke it there, where it was made.`] : []),
      ]);
    });
  },
};

const NOT_REVOKED = 'Its API token was not revoked at the order service.';

/** More open requests than these are not counted. */
const MOST_COUNTED = 1_000;

type Kept = { requests: number; open: number; notices: number; connected: boolean; token: boolean };

/** What can't be read can be removed all the same. */
async function look({ storage, connections }: Parts, workspace: string): Promise<Kept> {
  const [requests, notices, connected] = await Promise.all([
    storage.requests.count(workspace),
    storage.notices.count(workspace),
    connections.list(),
  ]);
  const open = await storage.requests.listHolding(workspace, MOST_COUNTED).catch(() => []);
  const connection = await connections.find(workspace).catch(() => undefined);
  return {
    requests,
    open: open.length,
    notices,
    connected: connected.includes(workspace),
    token: connection?.token !== undefined,
  };
}

function plan({ requests, open, notices, connected, token }: Kept, workspace: string): string[] {
  return [
    `This would remove all that Countermand keeps about ${workspace}:`,
    `  requests: ${requests}${open > 0 ? `, of which open: ${open < MOST_COUNTED ? open : `${open} or more`}` : ''}`,
    `  events that belong to no request: ${notices}`,
    `  connection to the order service: ${connected ? 'yes' : 'none'}`,
    '  settings, and whatever waits to be done for it',
    ...(token
      ? [
          '',
          `Its API token would not be revoked. To have that done where nobody else uses it, run this first: countermand disconnect --workspace ${workspace} --yes`,
        ]
      : []),
    '',
    'Run it again with --yes to do it. It can not be taken back.',
  ];
}
