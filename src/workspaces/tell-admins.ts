/**
 * Tells the admins of a workspace about its connection and its installation, and about a person who has met the limit of
 * requests.
 */
import type { Log, Replicated } from '../outbox/ports.ts';
import {
  newAdminsNotice,
  type RefusedToken,
  type RenewalNotice,
  type SendingNotice,
  type TokenNotice,
} from '../requests/model/notices/notice.ts';
import { isSamePause, type Settings } from '../requests/model/settings.ts';
import type { NoticeStore } from '../requests/ports/ports.ts';
import { type KeepNoticeDeps, keepNotice } from '../requests/store/notices.ts';
import { noticeEntry } from '../requests/store/writes.ts';
import type { LimitMet } from '../requests/use-cases/requester.ts';
import { type Generation, pauseIn } from './connection/connection.ts';
import { type Connections, findInForce } from './connection/connections.ts';
import type { InstallationStore, StoredInstallation } from './installation/installations.ts';
import type { Organizations } from './installation/organizations.ts';
import type { RemovableInstallations } from './installation/uninstall-record.ts';

type Deps = KeepNoticeDeps & { connections: Connections; replicated: Replicated; log: Log };

export function createTellAdmins(deps: Deps) {
  const { connections, notices, replicated, log } = deps;
  /** The caller records that the admins are told, so the notice must survive every failover that this record survives. */
  const notify = (refused: RefusedToken) =>
    replicated(async () => keepNotice(deps, newAdminsNotice(refused, await notices.now())));

  return {
    /** @throws if the notice is not known to be stored for good */
    ofRefusedToken: notify,
    /** Tells them that events have no valid signature. @throws as `ofRefusedToken` */
    async ofUnsigned({ since, ...of }: Generation & { since: number }): Promise<void> {
      const connection = await findInForce(connections, of);
      if (!connection) return;
      const { workspace, generation, connectedBy } = connection;
      await notify({ type: 'events_refused', workspace, generation, since, connectedBy });
    },
    /** Never throws: what the person does matters more. */
    async ofLimit({ workspace, person, usage: { made, limit }, toldAt: since }: LimitMet): Promise<void> {
      try {
        const { connectedBy = 'terminal' } = (await connections.find(workspace)) ?? {};
        const about = { type: 'limit_met', workspace, person, made, limit, since, connectedBy } as const;
        await keepNotice(deps, newAdminsNotice(about, since));
      } catch (err) {
        const fields = { workspace, user: person, err };
        log.error(fields, 'admins not told: a person has met the limit of requests');
      }
    },
  };
}

export type TellOfRenewal = (refused: StoredInstallation) => Promise<void>;

/**
 * Creates the function that tells the admins of each workspace of an installation that Slack refuses to renew its token. A
 * repeated call notifies nobody twice. Nothing wakes the notices: the sweep finds them within seconds.
 *
 * @param page the page that installs Countermand
 */
export function createTellOfRenewal(
  { notices, organizations }: { notices: NoticeStore; organizations: Pick<Organizations, 'workspaces'> },
  page: string,
): TellOfRenewal {
  return async ({ id, orgWide, generation, expiresAt = 0, installedBy: connectedBy }) => {
    // The stored name of the field; here it is the installer.
    const about = { type: 'renewal_refused' as const, generation, orgWide, expiresAt, page, connectedBy };
    const now = await notices.now();
    for await (const workspace of orgWide ? organizations.workspaces(id) : [id])
      await notices.create(noticeEntry(newAdminsNotice({ ...about, workspace }, now)));
  };
}

type InForceDeps = Pick<RemovableInstallations, 'servedBy'> & {
  connections: Pick<Connections, 'find'>;
  installations: Pick<InstallationStore, 'facts'>;
  settings: { read: (workspace: string) => Promise<Settings> };
};

/**
 * Whether a notice still holds. Its connection or installation must be the current one. Of a refused token, the calls must
 * still be paused; of a refused renewal, the bot token must still be the one that was to be renewed. A pause must go on, and
 * after its end no other one may have begun.
 */
export async function isNoticeInForce(
  { connections, installations, settings, servedBy }: InForceDeps,
  of: TokenNotice | RenewalNotice | SendingNotice,
): Promise<boolean> {
  if ('pause' in of) {
    const { paused } = await settings.read(of.workspace);
    return of.type === 'sending_paused' ? isSamePause(paused, of.pause) : paused === undefined;
  }
  if (of.type === 'renewal_refused') {
    const id = await servedBy(of.workspace);
    const facts = id === undefined ? undefined : await installations.facts(id);
    return facts?.generation === of.generation && facts.expiresAt === of.expiresAt;
  }
  const connection = await findInForce(connections, of);
  return connection !== undefined && (of.type === 'events_refused' || pauseIn(connection) !== undefined);
}
