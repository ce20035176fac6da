/** Tells the admins of a workspace about its connection, and about a person who has met the limit of requests. */
import type { Log } from '../../outbox/ports.ts';
import { newLimitNotice, type RefusedToken, type TokenNotice } from '../../requests/model/notices/notice.ts';
import { keepNotice, type NotifyAdminsDeps, notifyAdmins } from '../../requests/store/notify-admins.ts';
import type { LimitMet } from '../../requests/store/within-limit.ts';
import type { Generation } from '../connection/connection.ts';
import type { Connections } from '../connection/connections.ts';
import { pauseIn } from '../connection/token/pause.ts';
import { findInForce } from '../connection/tokens.ts';

type Deps = NotifyAdminsDeps & { connections: Connections; log: Log };

export type TellAdmins = ReturnType<typeof createTellAdmins>;

export function createTellAdmins(deps: Deps) {
  const { connections, log } = deps;

  async function limitMet({ workspace, person, usage, toldAt: since }: LimitMet): Promise<void> {
    const { made, limit } = usage;
    const { connectedBy = 'terminal' } = (await connections.find(workspace)) ?? {};
    await keepNotice(deps, newLimitNotice({ workspace, person, made, limit, since, connectedBy }, since));
  }

  return {
    /** @throws if the storage is unavailable: nobody will be told */
    ofRefusedToken: (refused: RefusedToken): Promise<void> => notifyAdmins(deps, refused),
    /** Events have no valid signature. @throws as above */
    async ofUnsigned({ since, ...of }: Generation & { since: number }): Promise<void> {
      const connection = await findInForce(connections, of);
      if (!connection) return;
      const { workspace, generation, connectedBy } = connection;
      await notifyAdmins(deps, { type: 'events_refused', workspace, generation, since, connectedBy });
    },
    /** Never throws: what the person does matters more. */
    ofLimit: (met: LimitMet): Promise<void> =>
      limitMet(met).catch((err) => {
        const { workspace, person: user } = met;
        log.error({ workspace, user, err }, 'admins not told: a person has met the limit of requests');
      }),
  };
}

/** Whether a notice still holds: its connection is the current one and, of a refused token, its calls are paused. */
export async function isNoticeInForce(connections: Connections, of: TokenNotice): Promise<boolean> {
  const connection = await findInForce(connections, of);
  return connection !== undefined && (of.type === 'events_refused' || pauseIn(connection) !== undefined);
}
