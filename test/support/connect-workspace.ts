/** Connects the seeded workspace without the form, which would take longer: most tests are about what comes after that. */
import type { OrderService } from '../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import type { Config } from '../../src/config.ts';
import { withAdapters } from './storage/with-adapters.ts';

/** Connects the workspace in the name of Olga, an admin, and subscribes its endpoint at the order service. */
export async function connectWorkspace(config: Config, service: OrderService) {
  const how = { tokenKind: 'rest', exclusive: false, newSecret: false, by: SEED.users.olga } as const;
  const { rest: token } = SEED_TOKENS.acme;
  const connected = await withAdapters(config, ({ connect }) =>
    connect({ workspace: SEED.team, token, ...how }),
  );
  if (connected.type !== 'connected') throw new Error(`not connected: ${connected.type}`);
  const { eventsUrl, secret = '' } = connected;
  service.subscribe({ url: eventsUrl, secret });
  return { eventsUrl, secret };
}
