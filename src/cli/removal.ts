/** Implements `countermand purge` and `countermand forget-person`, which remove data for good. */
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import type { Bot } from '../compose/bot.ts';
import { type NewAuditEntry, TERMINAL } from '../requests/model/audit-entry.ts';
import { auditEntry, changeEntry } from '../requests/store/audit-trail.ts';
import { OPEN } from '../requests/store/subjects.ts';
import { forgetPerson, type PersonForgotten } from '../requests/use-cases/forget-person.ts';
import { countOf } from '../slack/blocks/text.ts';
import type { Connection } from '../workspaces/connection/connection.ts';
import { forgetWorkspace } from '../workspaces/installation/forget.ts';
import {
  type ClaimTimes,
  installationRef,
  installedFields,
  isOrganization,
} from '../workspaces/installation/installation-record.ts';
import { sweepLater } from '../workspaces/installation/removal.ts';
import {
  type Command,
  FLAG,
  installationOf,
  isKnown,
  isPersonId,
  mustBeKnown,
  TEXT,
  UsageError,
  unknownError,
  withAdapters,
  withBot,
} from './command.ts';
import { print, when } from './terminal.ts';

export const purge: Command = {
  usage: `  countermand purge --workspace T... [--yes]
                              shows what Countermand stores about a workspace; with --yes, removes all of it,
                              including its installation in Slack. E...: an organization and its workspaces`,
  async run(args) {
    const { values } = parseArgs({ args, options: { workspace: TEXT, yes: FLAG } });
    const id = installationOf(values);
    await withAdapters(async ({ adapters, log }) => {
      const workspaces = await workspacesOf(adapters, id);
      const isStored = workspaces.length > 0 || (await isKnown(adapters, id));
      if (!values.yes) {
        if (!isStored) throw unknownError(id);
        const stored = await Promise.all([id, ...workspaces].map((each) => readStored(adapters, each)));
        return print([...workspaceLines(id, workspaces), ...plan(stored)]);
      }
      const removed = await adapters.storage.replicated(() => removeAll(adapters, id));
      if (isStored) {
        for (const each of removed) log.info({ ...installedFields(each.id), user: TERMINAL }, 'data purged');
        await print(report(removed, adapters.isStreaming));
      }
      await adapters.storage.scrub();
      // Thrown only now, because an interrupted run may have left data that `isKnown` does not find.
      if (!isStored) throw unknownError(id);
    });
  },
};

/** @returns the workspaces of an organization; none for a workspace */
const workspacesOf = async ({ organizations }: Adapters, id: string): Promise<string[]> =>
  isOrganization(id) ? (await Array.fromAsync(organizations.workspaces(id))).sort() : [];

function workspaceLines(id: string, workspaces: readonly string[]): string[] {
  if (!isOrganization(id)) return [];
  const known = workspaces.length > 0 ? workspaces.join(', ') : 'none';
  return [`${id} is an organization. Its workspaces, as far as Countermand knows them: ${known}.`, ''];
}

/** More than the uninstalls of a workspace: its own, and that of its organization. */
const MOST_UNINSTALLS = 10;

/** Removing takes minutes if there are very many requests; the bot claims an installation for seconds. */
const REMOVING: ClaimTimes = { ms: 600_000, waitMs: 15_000 };

/**
 * Removes all data of a workspace, or of an organization and its workspaces. The installation goes first, so that the bot
 * writes nothing more; the organization's membership last, so that an interrupted run can be repeated. If it is not, the sweep of
 * the installation removes the rest, except the data of workspaces with an installation of their own. Nobody can install anything
 * there meanwhile, and an organization gets no other workspace.
 *
 * @returns what was stored. Its bytes stay in the storage until `scrub`
 */
export async function removeAll(adapters: Adapters, id: string): Promise<StoredData[]> {
  const { installations, organizations, tokenWorkspaces, storage, forgets } = adapters;
  const claim = await installations.claim(id, 'removing', REMOVING);
  if (!claim) throw new Error(await claimedText(adapters, id));
  try {
    const own = await readStored(adapters, id);
    const entry = (await isKnown(adapters, id)) ? await enterPurge(storage, id) : undefined;
    const uninstalls = await storage.uninstalls.removeSome(id, MOST_UNINSTALLS);
    // With SLACK_BOT_TOKEN no installation is stored, and the bot goes on working there, so nothing is swept. An uninstall
    // that was removed here, reported by Slack or recorded by an earlier purge, may not have done its last sweep.
    const mayBeWriting = own.installed || uninstalls > 0 || (await organizations.of(id)) !== undefined;
    const workspaces = await workspacesOf(adapters, id);
    if (mayBeWriting) await sweepLater(storage.uninstalls, id, workspaces);
    await installations.forget(id);
    const others: StoredData[] = [];
    for (const workspace of workspaces) others.push(...(await removeAll(adapters, workspace)));
    const all = [...forgets, organizations.forget, tokenWorkspaces.forget];
    if (!(await forgetWorkspace(all, id, claim.isHeld))) throw new Error(tooSlowText(id));
    if (entry && adapters.isStreaming) await tellResult(storage, entry);
    return [own, ...others];
  } finally {
    await claim.release();
  }
}

/** The claim expired, so the app may be installed again by now. */
const tooSlowText = (id: string): string =>
  `Removing the data of ${id} took too long, so not everything was removed. Run this again, unless the app was installed again.`;

/** Enters the purge in the audit trail. The entry is removed with all else or, if there is an audit stream, once that has it. */
async function enterPurge({ auditEntries }: Adapters['storage'], workspace: string): Promise<NewAuditEntry> {
  const at = await auditEntries.now();
  const entry: NewAuditEntry = { workspace, id: `purge:${at}`, at, by: [TERMINAL], act: 'purged' };
  await auditEntries.create(auditEntry(entry));
  return entry;
}

/** Has the audit stream tell that a purge is complete. Once the stream has told of its beginning, the entry may be removed. */
async function tellResult({ auditEntries }: Adapters['storage'], entry: NewAuditEntry): Promise<void> {
  const complete = { ...entry, result: 'complete', isToBeRemoved: true };
  await changeEntry(auditEntries, entry, ({ isStreamed: _, ...stored }) => ({
    ...stored,
    ...complete,
  }));
  // Prevented by an entry that is still there.
  await auditEntries.create(auditEntry(complete));
}

/** Says why an installation is claimed, and when to try again: the bot claims it for seconds, a removal for minutes. */
async function claimedText({ storage: { installations } }: Adapters, id: string): Promise<string> {
  const claim = (await installations.get(installationRef(id)))?.record.claim;
  if (claim?.act !== 'removing')
    return 'The bot is using this installation at the moment, so not everything was removed. Run this again in a minute.';
  const minutes = Math.ceil((claim.expiresAt - (await installations.now())) / 60_000);
  return `The data of ${id} are being removed, or a removal was interrupted. Run this again in ${countOf(minutes, 'minute')}.`;
}

/** Open requests are counted up to this number. */
const MOST_COUNTED = 1_000;

type StoredData = Awaited<ReturnType<typeof readStored>>;

/** Counts the data of a workspace. Data that can't be read can be removed, too. */
async function readStored({ storage, connections, installations }: Adapters, id: string) {
  const [requests, open, notices, installed, connection] = await Promise.all([
    storage.requests.count(id),
    storage.requests.list(id, { subject: OPEN, limit: MOST_COUNTED }).catch(() => []),
    storage.notices.count(id),
    installations.has(id),
    connections.find(id).then(stateOf, () => 'not readable' as const),
  ]);
  return { id, requests, open: open.length, notices, connection, installed };
}

function stateOf(connection: Connection | undefined) {
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

export const forgetPersonCommand: Command = {
  usage: `  countermand forget-person U... --workspace T... [--json]
                              replaces the id of a person in the past: requests, the audit trail and the settings; refused
                              while an open request or an approval policy needs them. This cannot be undone. E...: in the
                              audit trail of an organization`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      options: { workspace: TEXT, json: FLAG },
      allowPositionals: true,
    });
    const workspace = installationOf(values);
    const person = personOf(positionals);
    await withBot(async (bot) => {
      const { adapters, timings, log } = bot.context;
      await mustBeKnown(adapters, workspace);
      const { settings, storage, recordAct } = adapters;
      const done = await storage.replicated(() =>
        recordAct(
          { workspace, by: [TERMINAL], act: 'forgot_person' },
          () =>
            forgetPerson({ ...storage, store: storage.requests, settings, timings }, { workspace, person }),
          (result) => (result.type === 'forgotten' && isFound(result) ? result.type : undefined),
        ),
      );
      if (done.type === 'named') throw new Error(await namedText(bot, done));
      const { type: _, ...counts } = done;
      if (isFound(counts)) log.info({ workspace, user: TERMINAL, ...counts }, 'person forgotten');
      const first = isFound(counts)
        ? replacedText(counts)
        : `The requests, the audit trail and the settings of ${workspace} do not name ${person}. Check the id.`;
      await print(values.json ? [JSON.stringify(counts)] : [first, ...OUT_OF_REACH]);
    });
  },
};

/** @throws UsageError */
function personOf([id, ...more]: string[]): string {
  if (id && isPersonId(id) && more.length === 0) return id;
  throw new UsageError('Name one person by the id that Slack gives them (U...).');
}

const MOST_LINKED = 20;

async function namedText(
  { useCases }: Bot,
  { requests, policies }: Extract<PersonForgotten, { type: 'named' }>,
): Promise<string> {
  const links = await Promise.all(
    requests
      .slice(0, MOST_LINKED)
      .map(async (each) => `  request ${each.id}: ${(await useCases.links.toCard(each)) ?? 'no link'}`),
  );
  const more = requests.length > MOST_LINKED ? [`  and ${requests.length - MOST_LINKED} more`] : [];
  return [
    'Nothing was changed, because this person is still needed:',
    ...links,
    ...more,
    ...policies.map((kind) => `  the approval policy of ${kind}: change it with /countermand settings`),
    'End these requests, or wait until they have ended and Slack has taken their messages, and run this again.',
  ].join('\n');
}

type Counts = Omit<Extract<PersonForgotten, { type: 'forgotten' }>, 'type'>;

const isFound = ({ requests, auditEntries, settings }: Counts): boolean =>
  requests + auditEntries + settings > 0;

const replacedText = ({ requests, auditEntries, settings }: Counts): string =>
  `The id is replaced in requests (${requests}), in the audit trail (${auditEntries})${settings > 0 ? ', and in the settings' : ''}.`;

const OUT_OF_REACH = [
  'It may still stand where this command cannot reach:',
  '  other workspaces of the organization, and the organization itself: run this command for each',
  '  messages in Slack (delete them there), the log, AUDIT_FILE, exports and backups',
  '  notices to admins, until they expire; and who connected or installed the workspace, until somebody does so again',
  '  the order service',
];
