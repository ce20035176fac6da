/** countermand purge */
import { parseArgs } from 'node:util';
import type { Parts } from '../compose/parts.ts';
import { loadConfig } from '../config.ts';
import { LockedError, type Patience } from '../requests/ports/locks.ts';
import { forgetWorkspace } from '../workspaces/installation/forget.ts';
import { type Command, print, UsageError, withParts } from './command.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

export const purge: Command = {
  usage: `  countermand purge --workspace T... [--yes]
                              says what Countermand keeps about a workspace and, with --yes, removes all of it,
                              its installation in Slack included; E...: about an organization and its workspaces`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const id = installationOf(values);
    await withParts(loadConfig(), async (parts) => {
      const workspaces = id.startsWith('E') ? await Array.fromAsync(parts.organizations.workspaces(id)) : [];
      const kept = await Promise.all([id, ...workspaces.sort()].map((each) => look(parts, each)));
      if (!values.yes) return print([...nameWorkspaces(id, workspaces), ...plan(kept)]);
      await removeAll(parts, id, workspaces);
      print(report(kept));
    });
  },
};

/** What can be installed: a workspace, or an organization with all of its workspaces. */
function installationOf({ workspace }: { workspace?: string | undefined }): string {
  if (workspace && /^[TE][A-Z0-9]+$/.test(workspace)) return workspace;
  throw new UsageError(
    '--workspace must be the id of a Slack workspace, which begins with T, or of an organization, which begins with E.',
  );
}

/** Whose data goes with that of an organization. */
function nameWorkspaces(id: string, workspaces: readonly string[]): string[] {
  if (id.startsWith('T')) return [];
  const known = workspaces.length > 0 ? workspaces.join(', ') : 'none';
  return [`${id} is an organization. Its workspaces, as far as Countermand knows them: ${known}.`, ''];
}

/** Its own, and that of the organization from it. */
const MOST_DEPARTURES = 10;

/** Removing takes minutes where there are very many requests; the bot installs, or exchanges a token, in seconds. */
const REMOVING: Patience = { heldMs: 600_000, waitMs: 15_000 };

/**
 * The installation first, so that the bot writes nothing more; which organization it belongs to last, so that a run that
 * was cut short can be repeated. Nobody installs anything there meanwhile.
 *
 * @param within what has to go before it does
 */
async function remove(parts: Parts, id: string, within = async () => {}): Promise<void> {
  const { installations, organizations, storage, forgets } = parts;
  await installations.alone(id, REMOVING, async () => {
    await installations.forget(id);
    await within();
    await storage.departures.removeSome(id, MOST_DEPARTURES);
    await forgetWorkspace([...forgets, organizations.forget, storage.scrub], id);
  });
}

async function removeAll(parts: Parts, id: string, workspaces: readonly string[]): Promise<void> {
  const each = async () => {
    for (const workspace of workspaces) await remove(parts, workspace);
  };
  await remove(parts, id, each).catch(explainLocked);
}

function explainLocked(error: unknown): never {
  if (!(error instanceof LockedError)) throw error;
  throw new Error(
    'The bot is at work on this installation in this moment, and not all was removed. Run it again in a minute.',
  );
}

/** More open requests than these are not counted. */
const MOST_COUNTED = 1_000;

type Kept = {
  id: string;
  requests: number;
  open: number;
  notices: number;
  connected: boolean;
  token: boolean;
  installed: boolean;
};

/** What can't be read can be removed all the same. */
async function look({ storage, connections, installations }: Parts, id: string): Promise<Kept> {
  const [requests, notices, connected, installed] = await Promise.all([
    storage.requests.count(id),
    storage.notices.count(id),
    connections.has(id),
    installations.has(id),
  ]);
  const open = await storage.requests.listHolding(id, MOST_COUNTED).catch(() => []);
  const connection = await connections.find(id).catch(() => undefined);
  return {
    id,
    requests,
    open: open.length,
    notices,
    connected,
    token: connection?.token !== undefined,
    installed,
  };
}

function plan(kept: readonly Kept[]): string[] {
  const tokens = kept.filter(({ token }) => token);
  return [
    ...kept.flatMap(planOf),
    ...(tokens.length === 0
      ? []
      : [
          '',
          'No API token would be revoked. To have that done where nobody else uses it, run this first:',
          ...tokens.map(({ id }) => `  countermand disconnect --workspace ${id} --yes`),
        ]),
    '',
    'Run it again with --yes to do it. It can not be taken back.',
  ];
}

function planOf({ id, requests, open, notices, connected, installed }: Kept): string[] {
  return [
    `This would remove all that Countermand keeps about ${id}:`,
    `  requests: ${requests}${open > 0 ? `, of which open: ${open < MOST_COUNTED ? open : `${open} or more`}` : ''}`,
    `  events that belong to no request: ${notices}`,
    `  connection to the order service: ${connected ? 'yes' : 'none'}`,
    ...(installed ? ['  installation in Slack: the bot does nothing there until it is installed again'] : []),
    '  settings, and whatever waits to be done for it',
  ];
}

function report(kept: readonly Kept[]): string[] {
  const idsOf = (those: readonly Kept[]) => those.map(({ id }) => id).join(', ');
  const installed = kept.filter(({ installed }) => installed);
  const tokens = kept.filter(({ token }) => token);
  return [
    `All that Countermand kept about ${idsOf(kept)} is removed. What stands in Slack stays there.`,
    ...(installed.length === 0
      ? []
      : [
          `The installation of ${idsOf(installed)} is forgotten, too: the bot does nothing there until it is installed again. Remove the app in Slack if it is not to be.`,
        ]),
    ...(tokens.length === 0
      ? []
      : [
          `The API token of ${idsOf(tokens)} was not revoked at the order service. Revoke it there, where it was made.`,
        ]),
  ];
}
