/** Everything that a run needs: the sandbox, a storage, replicas over it, and a load balancer in front of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleInto } from '../../../bench/lib/bundle.ts';
import { connect } from '../../../sandbox/connect.ts';
import { appAddress, botEnvironment } from '../../../sandbox/environment.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createJournal, type Journal } from '../../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../../sandbox/lib/manifest.ts';
import { type OrderService, startOrderService } from '../../../sandbox/order-service/start.ts';
import { type Slack, startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { NO_LIMITS } from '../../support/no-limits.ts';
import { type ChaosOptions, REPLICAS } from '../options.ts';
import { startBalancer } from './balancer.ts';
import { install } from './install.ts';
import { type Replica, runReplica } from './replica.ts';
import { type ChaosStorage, openStorage } from './storage.ts';

export type ChaosHarness = {
  journal: Journal;
  slack: Slack;
  service: OrderService;
  storage: ChaosStorage;
  replicas: readonly Replica[];
  /** Of the load balancer. */
  url: string;
  close(): Promise<void>;
};

/** The setting that lifts the limit of requests for each person: a few people make all requests of a run. */
export const UNLIMITED = { requests_per_hour: '' };

/** Slack and the service repeat undelivered events soon, for as long as a run takes. */
const EVENT_RETRIES_MS = Array<number>(400).fill(500);
const EVENT_TIMEOUT_MS = 3_000;

export async function openHarness({
  storage: name,
  transport,
  without,
}: Pick<ChaosOptions, 'storage' | 'transport' | 'without'>): Promise<ChaosHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-chaos-'));
  const journal = createJournal();
  const service = await startOrderService({
    journal,
    // Below the ephemeral ports: it is closed for a while, and must be free when it is opened again.
    port: await freePort(),
    eventRetryDelaysMs: EVENT_RETRIES_MS,
    eventTimeoutMs: EVENT_TIMEOUT_MS,
  });
  const ports = await Promise.all(Array.from({ length: REPLICAS[name] }, () => freePort()));
  const balancer = await startBalancer(ports);
  const url = `http://127.0.0.1:${balancer.port}`;
  const slack = await startSlack({
    journal,
    ...readManifest(url),
    installed: false,
    // A 429 comes only when one is injected.
    limits: NO_LIMITS,
    redeliveryDelaysMs: EVENT_RETRIES_MS,
  });
  const storage = await openStorage(name, folder);
  // A bundle starts sooner than the source, so a bot that was killed is back sooner.
  const bot = await bundleInto(folder, join(import.meta.dirname, 'bot.ts'));
  const args = without ? [`--without-${without}`] : [];
  const replicas = ports.map((port) => {
    const env = botEnvironment({ slack, service }, { port, transport, credentials: 'oauth' });
    const pace = { SLACK_POSTS_PER_MINUTE: '600' };
    return runReplica({ ...env, ...storage.env, ...pace, PUBLIC_URL: url }, bot, args);
  });
  const close = async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await balancer.close();
    // A run that has failed shows its own reason, and not that faults are left.
    slack.faults.clear();
    service.faults.clear();
    await slack.close();
    await service.close();
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(replicas.map((replica) => replica.ready()));
    slack.connectApp(appAddress(balancer.port, transport));
    await install(slack, url, { who: SEED.users.olga, team: SEED.team });
    slack.admin.invite(SEED.channels.approvals, slack.installation().bot_user_id);
    await connect({ slack, service }, UNLIMITED);
  } catch (error) {
    await close();
    throw error;
  }
  return { journal, slack, service, storage, replicas, url, close };
}
