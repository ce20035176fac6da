/** Starts a local Slack. */
import { randomBytes } from 'node:crypto';
import { createFaults } from '../lib/faults/faults.ts';
import { type HttpRequest, startHttpServer } from '../lib/http/server.ts';
import { createAdmin } from './admin.ts';
import { createLimitedCalls } from './api/limits.ts';
import { serveWebApi, type WebApiContext } from './api/serve-web-api.ts';
import {
  type AppConnection,
  type CustomRequest,
  createAppConnection,
  toAppRequest,
} from './delivery/app-connection.ts';
import { createEventSender, REDELIVERY_DELAYS_MS } from './delivery/events.ts';
import { serveResponseUrl } from './delivery/respond.ts';
import { createSockets } from './delivery/socket/sockets.ts';
import { createSocketTransport } from './delivery/socket/transport.ts';
import { sendWorldEvents } from './delivery/world-events.ts';
import { AUTHORIZE_PATH, serveAuthorize } from './oauth/authorize-page.ts';
import type { SlackOptions } from './options.ts';
import { findUser, type PeopleContext, rememberFormerBlocks } from './people/context.ts';
import { createPerson } from './people/person.ts';
import { createReading, createWorldWait } from './reading.ts';
import { APP, installationOf } from './world/app/installations.ts';
import { appSettings } from './world/app/settings.ts';
import { SEED, seedWorld } from './world/seed/seed.ts';
import { createWorld, type World } from './world/world.ts';

/** Slack's own: an acknowledgement must come within three seconds. */
const ACK_TIMEOUT_MS = 3_000;

export type Slack = Awaited<ReturnType<typeof startSlack>>;

/** Starts a Slack with the seeded support desk on loopback, at a free port unless one is given. */
export async function startSlack(options: SlackOptions) {
  const { journal, now = Date.now, signingSecret = randomBytes(16).toString('hex') } = options;
  const { ackTimeoutMs = ACK_TIMEOUT_MS, signedAt = Date.now } = options;
  const appToken = `xapp-1-${APP.id}-1-${randomBytes(16).toString('hex')}`;
  const closing = new AbortController();
  const faults = createFaults();
  const app = appSettings(options);
  const world = createWorld(now, app, options.triggerMs);
  seedWorld(world, options);
  for (const secret of [signingSecret, appToken, app.clientSecret]) journal.addSecret(secret);
  const sockets = createSockets({ journal, faults });
  const limits = createLimitedCalls(options.limits ?? {}, now);
  const server = await startHttpServer({
    port: options.port,
    now,
    handle: createRouter({ world, journal, faults, limits, appToken, sockets }),
    upgrade: sockets.upgrade,
  });
  const sending = { faults, ackTimeoutMs, closing: closing.signal };
  const overSockets = createSocketTransport({ ...sending, sockets });
  const connection = createAppConnection({ ...sending, journal, overSockets, signingSecret, signedAt });
  /** @throws if a fault was scheduled for nothing */
  const close = async () => {
    closing.abort();
    try {
      faults.end();
    } finally {
      sockets.close();
      await server.close();
    }
  };
  return {
    ...assemble(options, world, server.origin, connection, closing.signal),
    /** The bot's SLACK_API_URL. */
    apiUrl: `${server.origin}/api/`,
    signingSecret,
    appToken,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    sockets: sockets.control,
    faults,
    close,
  };
}

function assemble(
  options: SlackOptions,
  world: World,
  origin: string,
  connection: AppConnection,
  closing: AbortSignal,
) {
  const { journal, commands, shortcuts, redeliveryDelaysMs = REDELIVERY_DELAYS_MS } = options;
  const events = createEventSender({ world, connection, redeliveryDelaysMs, closing });
  sendWorldEvents(world, events, new Set(options.subscriptions));
  const wait = createWorldWait(world, journal);
  const people: PeopleContext = {
    world,
    connection,
    origin,
    journal,
    entered: new WeakMap(),
    formerBlocks: rememberFormerBlocks(world),
    commands: commands && new Set(commands),
    shortcuts: shortcuts && new Set(shortcuts),
  };
  return {
    ...createReading(world, wait),
    world,
    admin: createAdmin(world, journal),
    events,
    /** Returns the installation in a workspace, with the bot's token; left out: the seeded workspace. */
    installation: (teamId: string = SEED.team) => installationOf(world, teamId),
    /**
     * Sets the app's URL for commands, interactivity, options and events, or Socket Mode: then all of them
     * go over the connections that the app opens. May be called again.
     */
    connectApp: connection.connect,
    person: (idOrName: string) => createPerson(people, wait, findUser(people, idOrName).id),
    /** Sends the app a custom body, signed and transported as Slack would. */
    sendCustom: (request: CustomRequest) => connection.send(toAppRequest(request)),
    /** Sends the app a request that Slack would not send: any body, any signature. Only over HTTP. */
    deliver: connection.sendRaw,
    waitUntil: wait,
  };
}

function createRouter(context: WebApiContext): (request: HttpRequest) => Promise<void> {
  return async (request) => {
    const { target, client } = request;
    if (target.startsWith('/api/')) await serveWebApi(request, context);
    else if (target.startsWith(AUTHORIZE_PATH)) await serveAuthorize(request, context);
    else if (/^\/(commands|actions|app)\//.test(target)) await serveResponseUrl(request, context);
    else client.send({ status: 404, body: 'not found' });
  };
}
