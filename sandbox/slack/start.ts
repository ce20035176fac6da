import { randomBytes } from 'node:crypto';
import { type ControlRoute, serveControl } from '../lib/control/control.ts';
import { createFaults, type Faults } from '../lib/faults/faults.ts';
import { type HttpRequest, startHttpServer } from '../lib/http/server.ts';
import { createAdmin } from './admin.ts';
import { createLimitedCalls } from './api/limits.ts';
import { serveWebApi, type WebApiContext } from './api/serve-web-api.ts';
import { slackRoutes } from './control/routes.ts';
import { type AppConnection, createAppConnection, verifyRequestUrl } from './delivery/app-connection.ts';
import { type CustomRequest, toAppRequest } from './delivery/app-request.ts';
import { createEventSender, type EventSender, REDELIVERY_DELAYS_MS } from './delivery/events/events.ts';
import { sendWorldEvents } from './delivery/events/world-events.ts';
import { createHttpTransport } from './delivery/http-transport.ts';
import { serveResponseUrl } from './delivery/response/respond.ts';
import { createSockets, type Sockets } from './delivery/socket/sockets.ts';
import { createSocketTransport } from './delivery/socket/transport.ts';
import { AUTHORIZE_PATH, serveAuthorize } from './oauth/serve-authorize.ts';
import type { SlackOptions } from './options.ts';
import { findUser, type PeopleContext } from './people/context.ts';
import { rememberFormerBlocks } from './people/former-blocks.ts';
import { createPerson } from './people/person.ts';
import { createReading, createWorldWait } from './reading.ts';
import type { Slack } from './types.ts';
import { APP, installationOf } from './world/app/installations.ts';
import { appSettings } from './world/app/settings.ts';
import { SEED, seedWorld } from './world/seed/seed.ts';
import { createWorld, type World } from './world/world.ts';

export type { Slack } from './types.ts';

/** Slack's own: an acknowledgement must come within three seconds. */
const ACK_TIMEOUT_MS = 3_000;

/** Starts a Slack with the seeded support desk on a free port of loopback. */
export async function startSlack(options: SlackOptions): Promise<Slack> {
  const { journal, now = Date.now, signingSecret = randomBytes(16).toString('hex') } = options;
  const appToken = `xapp-1-${APP.id}-1-${randomBytes(16).toString('hex')}`;
  const closing = new AbortController();
  const faults = createFaults();
  const app = appSettings(options);
  const world = createWorld(now, app);
  seedWorld(world, options);
  for (const secret of [signingSecret, appToken, app.clientSecret]) journal.addSecret(secret);
  const sockets = createSockets({ journal, faults });
  const limits = createLimitedCalls(options.limits ?? {}, now);
  const control: ControlRoute[] = [];
  const server = await startHttpServer({
    ...(options.port !== undefined && { port: options.port }),
    handle: createRouter({ world, journal, faults, limits, control, appToken, sockets }),
    upgrade: sockets.upgrade,
  });
  const senders = createAppSenders({ ...options, signingSecret }, { world, faults, sockets }, closing.signal);
  const slack = {
    ...assemble(options, world, server.origin, senders),
    apiUrl: `${server.origin}/api/`,
    signingSecret,
    appToken,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    sockets: sockets.control,
    faults,
  };
  control.push(...slackRoutes(slack, journal));
  return {
    ...slack,
    close: async () => {
      closing.abort();
      faults.clear();
      sockets.close();
      await server.close();
    },
  };
}

/** The senders of requests and of events to the app. */
type AppSenders = {
  connection: AppConnection;
  events: EventSender;
};

function createAppSenders(
  options: SlackOptions & { signingSecret: string },
  { world, faults, sockets }: { world: World; faults: Faults; sockets: Sockets },
  closing: AbortSignal,
): AppSenders {
  const { journal, signingSecret } = options;
  const { ackTimeoutMs = ACK_TIMEOUT_MS, redeliveryDelaysMs = REDELIVERY_DELAYS_MS } = options;
  const { signedAt = Date.now } = options;
  const connection = createAppConnection({
    journal,
    faults,
    http: createHttpTransport({ signingSecret, signedAt, ackTimeoutMs, closing }),
    sockets: createSocketTransport({ sockets, faults, ackTimeoutMs, closing }),
  });
  const events = createEventSender({ world, connection, redeliveryDelaysMs, closing });
  sendWorldEvents(world, events, new Set(options.subscriptions));
  return { connection, events };
}

function assemble(options: SlackOptions, world: World, origin: string, { connection, events }: AppSenders) {
  const { journal } = options;
  const wait = createWorldWait(world, journal);
  const people = peopleContext(options, { world, connection, origin });
  return {
    ...createReading(world, wait),
    world,
    admin: createAdmin(world, journal),
    events,
    installation: (teamId: string = SEED.team) => installationOf(world, teamId),
    connectApp: connection.connect,
    verifyRequestUrl: () => verifyRequestUrl(connection),
    person: (idOrName: string) => createPerson(people, wait, findUser(people, idOrName).id),
    sendCustom: (request: CustomRequest) => connection.send(toAppRequest(request)),
    deliver: connection.sendRaw,
    waitUntil: wait,
  };
}

function peopleContext(
  { journal, commands, shortcuts }: SlackOptions,
  rest: Pick<PeopleContext, 'world' | 'connection' | 'origin'>,
): PeopleContext {
  return {
    ...rest,
    journal,
    entered: new WeakMap(),
    formerBlocks: rememberFormerBlocks(rest.world),
    ...(commands && { commands: new Set(commands) }),
    ...(shortcuts && { shortcuts: new Set(shortcuts) }),
  };
}

/** Routes requests to the Web API, the authorize page, the response_urls and the control API. */
function createRouter(
  context: WebApiContext & { control: readonly ControlRoute[] },
): (request: HttpRequest) => Promise<void> {
  return async (request) => {
    const { target, client } = request;
    if (target.startsWith('/api/')) await serveWebApi(request, context);
    else if (target.startsWith(AUTHORIZE_PATH)) await serveAuthorize(request, context);
    else if (target.startsWith('/control/')) await serveControl(context.control, request);
    else if (/^\/(commands|actions|app)\//.test(target)) await serveResponseUrl(request, context);
    else client.send({ status: 404, body: 'not found' });
  };
}
