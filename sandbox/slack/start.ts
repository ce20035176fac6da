import { randomBytes } from 'node:crypto';
import type { ControlRoute } from '../lib/control/control.ts';
import { createFaults, type Faults } from '../lib/control/faults.ts';
import type { PostResult } from '../lib/http/client.ts';
import { startHttpServer } from '../lib/http/server.ts';
import { type Admin, createAdmin } from './admin.ts';
import { createLimitedCalls } from './api/limits.ts';
import { slackRoutes } from './control/routes.ts';
import { type AppAddress, type AppConnection, createAppConnection } from './delivery/app-connection.ts';
import { createEventSender, type EventSender, REDELIVERY_DELAYS_MS } from './delivery/events/events.ts';
import { verifyRequestUrl } from './delivery/events/verify-request-url.ts';
import { sendWorldEvents } from './delivery/events/world-events.ts';
import { type Forged, requestFor } from './delivery/forge.ts';
import { createHttpTransport, type RawRequest } from './delivery/http-transport.ts';
import { createSockets, type SocketControl, type Sockets } from './delivery/socket/sockets.ts';
import { createSocketTransport } from './delivery/socket/transport.ts';
import type { SlackOptions } from './options.ts';
import { findUser, type PeopleContext } from './people/context.ts';
import { rememberFormerBlocks } from './people/former-blocks.ts';
import { createPerson, type Person } from './people/person.ts';
import { createReading, type Reading } from './reading.ts';
import { createRouter } from './router.ts';
import { createWorldWait, type WorldWait } from './wait.ts';
import { APP, installationOf } from './world/app/installations.ts';
import { appSettings } from './world/app/settings.ts';
import { SEED, seedWorld } from './world/seed/seed.ts';
import type { Installation } from './world/types.ts';
import { createWorld, type World } from './world/world.ts';

/** A running Slack. */
export interface Slack extends Reading {
  /** What the bot gets as SLACK_API_URL. */
  apiUrl: string;
  signingSecret: string;
  /** With which an app on Socket Mode opens its connections. */
  appToken: string;
  /** With which the app exchanges codes and refresh tokens. */
  clientId: string;
  clientSecret: string;
  world: World;
  faults: Faults;
  admin: Admin;
  events: EventSender;
  /** The installation in a workspace, with the bot's token; the seeded one where no team is named. */
  installation(teamId?: string): Installation;
  /**
   * The app's one URL for commands, interactivity, options and events, or that it is on Socket Mode: then all of them
   * go over the connections that it opens. May be called again.
   */
  connectApp(app: AppAddress): void;
  /** The connections of an app on Socket Mode. */
  sockets: SocketControl;
  /** Asks the app for the challenge, as Slack does when a request URL is entered; tells if it answered rightly. */
  verifyRequestUrl(): Promise<boolean>;
  /** Somebody to act as, by id or by name. */
  person(idOrName: string): Person;
  /** Sends the app a body of one's own making, the way that Slack would send it. */
  forge(request: Forged): Promise<PostResult>;
  /** Sends the app what Slack would not: any body, any signature. Only over HTTP. */
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
  const outgoing = createOutgoing({ ...options, signingSecret }, { world, faults, sockets }, closing.signal);
  const slack = {
    ...assemble(options, world, server.origin, outgoing),
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

type Outgoing = {
  connection: AppConnection;
  events: EventSender;
};

function createOutgoing(
  options: SlackOptions & { signingSecret: string },
  { world, faults, sockets }: { world: World; faults: Faults; sockets: Sockets },
  closing: AbortSignal,
): Outgoing {
  const { journal, signingSecret } = options;
  const { ackTimeoutMs = ACK_TIMEOUT_MS, redeliveryDelaysMs = REDELIVERY_DELAYS_MS } = options;
  const connection = createAppConnection({
    journal,
    http: createHttpTransport({ signingSecret, ackTimeoutMs, closing }),
    sockets: createSocketTransport({ sockets, faults, ackTimeoutMs, closing }),
  });
  const events = createEventSender({ world, connection, redeliveryDelaysMs, closing });
  sendWorldEvents(world, events, new Set(options.subscriptions));
  return { connection, events };
}

function assemble(options: SlackOptions, world: World, origin: string, { connection, events }: Outgoing) {
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
    forge: (forged: Forged) => connection.send(requestFor(forged)),
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
