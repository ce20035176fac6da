/** A Bolt app without a transport, and clients of any workspace. */
import { SILENT } from '../../src/outbox/ports.ts';
import { createBoltApp } from '../../src/slack/bolt.ts';
import { boltLogger, type SlackClients } from '../../src/slack/client/clients.ts';

export function appWith(
  clients: SlackClients,
  routes: Partial<Parameters<typeof createBoltApp>[0]['routes']>,
) {
  return createBoltApp({
    receiver: { init() {}, start: async () => {}, stop: async () => {} },
    clients,
    routes: { commands: {}, shortcuts: {}, views: {}, actions: {}, options: {}, events: {}, ...routes },
    logger: boltLogger(SILENT),
    log: SILENT,
  });
}

export const named = (id: string) => ({ team: { id, domain: 'd' }, enterprise: null });

/** Clients of any workspace. The organization of T1 and T2 is known. */
export function clientsOfMany(): SlackClients {
  const members: Readonly<Record<string, string>> = { T1: 'E1', T2: 'E1', T3: 'E2' };
  const clients: Pick<SlackClients, 'installation' | 'memberOf' | 'options' | 'withToken'> = {
    installation: async (workspace) => {
      if (workspace === '') throw new Error('No workspace is meant');
      return { workspace, botToken: 'xoxb-1', botUserId: 'U0' };
    },
    memberOf: async (workspace) => members[workspace],
    options: {},
    withToken: () => ({}) as never,
  };
  return clients as SlackClients;
}
