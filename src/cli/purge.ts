/** Implements `countermand purge`. */
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import { loadConfig } from '../config.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { auditEntry } from '../requests/store/audit-trail.ts';
import type { Connection } from '../workspaces/connection/connection.ts';
import { forgetWorkspace } from '../workspaces/installation/forget.ts';
import type { ClaimTimes } from '../workspaces/installation/installation-record.ts';
import { installedFields } from '../workspaces/installation/installation-record.ts';
import { type Command, installationOf, isKnown, unknownError, withAdapters } from './command.ts';
import { print, when } from './terminal.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

export const purge: Command = {
  usage: `  countermand purge --workspace T... [--yes]
                              shows what Countermand stores about a workspace; with --yes, removes all of it,
                              including its installation in Slack. E...: an organization and its workspaces`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const id = installationOf(values);
    const config = loadConfig();
    await withAdapters(config, async (adapters, log) => {
      const workspaces = id.startsWith('E')
        ? await Array.fromAsync(adapters.organizations.workspaces(id))
        : [];
      const isStored = workspaces.length > 0 || (await isKnown(adapters, id));
      if (!isStored && !values.yes) throw unknownError(id);
      const stored = await Promise.all([id, ...workspaces.sort()].map((each) => readStored(adapters, each)));
      if (!values.yes) return print([...nameWorkspaces(id, workspaces), ...plan(stored)]);
      await removeAll(adapters, id, workspaces);
      for (const each of [id, ...workspaces])
        log.info({ ...installedFields(each), user: TERMINAL }, 'data purged');
      // Data that an interrupted run has left are removed even if nothing else shows them.
      if (!isStored) throw unknownError(id);
      await print(report(stored, config.auditFile !== undefined));
    });
  },
};

/** Names the workspaces whose data are removed with their organization. */
function nameWorkspaces(id: string, workspaces: readonly string[]): string[] {
  if (id.startsWith('T')) return [];
  const known = workspaces.length > 0 ? workspaces.join(', ') : 'none';
  return [`${id} is an organization. Its workspaces, as far as Countermand knows them: ${known}.`, ''];
}

/** More than the uninstalls of a workspace: its own, and that of its organization. */
const MOST_UNINSTALLS = 10;

/** Removing takes minutes if there are very many requests; the bot claims an installation for seconds. */
const REMOVING: ClaimTimes = { ms: 600_000, waitMs: 15_000 };

/**
 * Removes all data of a workspace or organization. The installation goes first, so that the bot writes nothing more;
 * the organization's membership last, so that an interrupted run can be repeated. Nobody can install anything there
 * meanwhile.
 *
 * @param within the work to do after the installation is removed
 */
async function remove(adapters: Adapters, id: string, within = async () => {}): Promise<void> {
  const { installations, organizations, storage, forgets } = adapters;
  const claim = await installations.claim(id, 'removing', REMOVING);
  if (!claim)
    throw new Error(
      'The bot is using this installation at the moment, so not everything was removed. Run this again in a minute.',
    );
  try {
    // It is removed with everything else, at once or, where there is an audit stream, once it is written there.
    const at = await storage.auditEntries.now();
    const purged = { workspace: id, id: `purge:${at}`, at, by: [TERMINAL], act: 'purged' as const };
    await storage.auditEntries.create(auditEntry(purged));
    await installations.forget(id);
    await within();
    await storage.uninstalls.removeSome(id, MOST_UNINSTALLS);
    await forgetWorkspace([...forgets, organizations.forget, storage.scrub], id);
  } finally {
    await claim.release();
  }
}

/** Removes the data of a workspace or an organization; of its workspaces, too, while the organization is claimed. */
export async function removeAll(
  adapters: Adapters,
  id: string,
  workspaces: readonly string[],
): Promise<void> {
  const each = async () => {
    for (const workspace of workspaces) await remove(adapters, workspace);
  };
  await remove(adapters, id, each);
}

/** Open requests are counted up to this number. */
const MOST_COUNTED = 1_000;

type StoredData = {
  id: string;
  requests: number;
  open: number;
  notices: number;
  connection: 'none' | 'connected' | 'disconnected' | 'not readable';
  installed: boolean;
};

/** Counts the data of a workspace. Data that can't be read can be removed, too. */
async function readStored(
  { storage, connections, installations }: Adapters,
  id: string,
): Promise<StoredData> {
  const [requests, notices, installed, connection] = await Promise.all([
    storage.requests.count(id),
    storage.notices.count(id),
    installations.has(id),
    connections.find(id).then(stateOf, (): 'not readable' => 'not readable'),
  ]);
  const open = await storage.requests.listHolding(id, MOST_COUNTED).catch(() => []);
  return { id, requests, open: open.length, notices, connection, installed };
}

function stateOf(connection: Connection | undefined): StoredData['connection'] {
  if (!connection) return 'none';
  return connection.token ? 'connected' : 'disconnected';
}

function plan(stored: readonly StoredData[]): string[] {
  const tokens = stored.filter(({ connection }) => connection === 'connected');
  return [
    ...stored.flatMap(planOf),
    ...when(
      tokens.length > 0,
      '',
      'No API token will be revoked. To revoke tokens that only Countermand uses, run this first:',
      ...tokens.map(({ id }) => `  countermand disconnect --workspace ${id} --yes`),
    ),
    '',
    'Run it again with --yes to remove it. This cannot be undone.',
  ];
}

const CONNECTION: Record<StoredData['connection'], string> = {
  none: 'none',
  connected: 'yes',
  disconnected: 'disconnected; its events URL and secret are removed, too',
  'not readable': 'yes, but it is not readable',
};

function planOf({ id, requests, open, notices, connection, installed }: StoredData): string[] {
  return [
    `This removes everything that Countermand stores about ${id}:`,
    `  requests: ${requests}${open > 0 ? `, of which open: ${open < MOST_COUNTED ? open : `${open} or more`}` : ''}`,
    `  notices, such as events that match no request: ${notices}`,
    `  connection to the order service: ${CONNECTION[connection]}`,
    ...when(installed, '  installation in Slack: the bot does nothing there until it is installed again'),
    '  settings, audit trail and pending work',
  ];
}

function report(stored: readonly StoredData[], isStreaming: boolean): string[] {
  const idsOf = (some: readonly StoredData[]) => some.map(({ id }) => id).join(', ');
  const withInstallation = stored.filter(({ installed }) => installed);
  const tokens = stored.filter(({ connection }) => connection === 'connected');
  return [
    `Everything that Countermand stored about ${idsOf(stored)} is removed. Messages in Slack stay.`,
    ...when(
      isStreaming,
      'Entries of the audit trail that are not in AUDIT_FILE yet are removed as soon as the bot has written them there.',
    ),
    ...when(
      withInstallation.length > 0,
      `The installation of ${idsOf(withInstallation)} is removed, too: the bot does nothing there until it is installed again. To end it in Slack as well, remove the app there.`,
    ),
    ...when(
      tokens.length > 0,
      `The API token of ${idsOf(tokens)} was not revoked. Revoke it in the developer portal of the order service.`,
    ),
  ];
}
