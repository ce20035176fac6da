/** Starts a local Slack. */

import { randomBytes } from 'node:crypto';
import { type ControlRoute, serveControl } from '../lib/control.ts';
import { createFaults, type Faults } from '../lib/faults/faults.ts';
import type { PostResult } from '../lib/http/client.ts';
import { type HttpRequest, startHttpServer } from '../lib/http/server.ts';
import { type Admin, createAdmin } from './admin.ts';
import { createLimitedCalls } from './api/limits.ts';
import { serveWebApi, type WebApiContext } from './api/serve-web-api.ts';
import { slackRoutes } from './control-routes.ts';
import {
  type AppAddress,
  type AppConnection,
  type CustomRequest,
  createAppConnection,
  createHttpTransport,
  type RawRequest,
  toAppRequest,
  verifyRequestUrl,
} from './delivery/app-connection.ts';
import { createEventSender, type EventSender, REDELIVERY_DELAYS_MS } from './delivery/events.ts';
import { serveResponseUrl } from './delivery/respond.ts';
import { createSockets, type SocketControl, type Sockets } from './delivery/socket/sockets.ts';
import { createSocketTransport } from './delivery/socket/transport.ts';
import { sendWorldEvents } from './delivery/world-events.ts';
import { AUTHORIZE_PATH, serveAuthorize } from './oauth/authorize-page.ts';
import type { SlackOptions } from './options.ts';
import { findUser, type PeopleContext, rememberFormerBlocks } from './people/context.ts';
import { createPerson, type Person } from './people/person.ts';
import { createReading, createWorldWait, type Reading, type WorldWait } from './reading.ts';
import { APP, installationOf } from './world/app/installations.ts';
import { appSettings } from './world/app/settings.ts';
import { SEED, seedWorld } from './world/seed/seed.ts';
import type { Installation } from './world/types.ts';
import { createWorld, type World } from './world/world.ts';

/** A running Slack. */
export interface Slack extends Reading {
  /** The bot's SLACK_API_URL. */
  apiUrl: string;
  signingSecret: string;
  /** The token with which an app on Socket Mode opens its connections. */
  appToken: string;
  /** The credentials with which the app exchanges codes and refresh tokens. */
  clientId: string;
  clientSecret: string;
  world: World;
  faults: Faults;
  admin: Admin;
  events: EventSender;
  /** Returns the installation in a workspace, with the bot's token; left out: the seeded workspace. */
  installation(teamId?: string): Installation;
  /**
   * Sets the app's URL for commands, interactivity, options and events, or Socket Mode: then all of them
   * go over the connections that the app opens. May be called again.
   */
  connectApp(app: AppAddress): void;
  /** The connections of an app on Socket Mode. */
  sockets: SocketControl;
  /**
   * Sends the url_verification challenge, as Slack does when a request URL is entered. Resolves with whether the app
   * answered correctly.
   */
  verifyRequestUrl(): Promise<boolean>;
  /** Returns a person to act as, by id or by name. */
  person(idOrName: string): Person;
  /** Sends the app a custom body, signed and transported as Slack would. */
  sendCustom(request: CustomRequest): Promise<PostResult>;
  /** Sends the app a request that Slack would not send: any body, any signature. Only over HTTP. */
  deliver(request: RawRequest): Promise<PostResult>;
  waitUntil: WorldWait;
  close(): Promise<void>;
}

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
