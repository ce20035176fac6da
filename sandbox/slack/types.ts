import type { Faults } from '../lib/faults/faults.ts';
import type { PostResult } from '../lib/http/client.ts';
import type { Admin } from './admin.ts';
import type { AppAddress } from './delivery/app-connection.ts';
import type { CustomRequest } from './delivery/app-request.ts';
import type { EventSender } from './delivery/events/events.ts';
import type { RawRequest } from './delivery/http-transport.ts';
import type { SocketControl } from './delivery/socket/sockets.ts';
import type { Person } from './people/person.ts';
import type { Reading, WorldWait } from './reading.ts';
import type { Installation } from './world/types.ts';
import type { World } from './world/world.ts';

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
