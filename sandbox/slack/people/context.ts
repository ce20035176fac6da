import type { Journal } from '../../lib/http/journal.ts';
import type { Option } from '../blocks/options.ts';
import type { AppConnection } from '../delivery/app-connection.ts';
import type { PayloadContext } from '../delivery/payloads.ts';
import type { StateValues } from '../views/types.ts';
import { installationServing } from '../world/app/installations.ts';
import { findChannel } from '../world/channels.ts';
import type { Channel, Ephemeral, Installation, Message, User } from '../world/types.ts';
import { userOf } from '../world/users.ts';
import type { World } from '../world/world.ts';
import type { FormerBlocks } from './former-blocks.ts';

/** What the acts of people need. */
export type PeopleContext = {
  world: World;
  journal: Journal;
  connection: AppConnection;
  origin: string;
  /** The commands and shortcuts of the app's manifest; undefined: any. */
  commands?: ReadonlySet<string> | undefined;
  shortcuts?: ReadonlySet<string> | undefined;
  /** What each person entered in each message, by user; only clients know it, so the world does not. */
  entered: WeakMap<Message | Ephemeral, Map<string, Entered>>;
  formerBlocks: FormerBlocks;
};

/** What was entered on a surface, and what the app last offered for its external selects. */
export type Entered = {
  values: StateValues;
  suggestions: Map<string, Option[]>;
};

/** Something that a real client would not let a person do. */
export class PersonError extends Error {
  override readonly name = 'PersonError';
}

/** Where a message is: the channel by id or `#name`, and its timestamp. */
export type MessageRef = {
  channel: string;
  ts: string;
};

/** A user by id or name; names are looked up in the first workspace that knows them. */
export function findUser({ world }: PeopleContext, idOrName: string): User {
  const name = idOrName.replace(/^@/, '');
  const user = world.users.get(idOrName) ?? [...world.users.values()].find((each) => each.name === name);
  if (!user) throw new PersonError(`there is nobody called ${idOrName}`);
  return user;
}

/** A channel that the person is in, by id or `#name`. */
export function ownChannel(context: PeopleContext, user: User, idOrName: string): Channel {
  const channel = channelCalled(context, user, idOrName);
  if (!channel.members.has(user.id)) throw new PersonError(`${user.name} is not in ${idOrName}`);
  return channel;
}

/** A channel by id, or by a `#name` that the person's workspace knows. */
export function channelCalled({ world }: PeopleContext, user: User, idOrName: string): Channel {
  const channel = findChannel(world, idOrName, user.team_id);
  if (!channel) throw new PersonError(`there is no channel ${idOrName}`);
  return channel;
}

/** The installation whose bot posted something. */
export function appOfBot({ world }: PeopleContext, bot_id: string | undefined): Installation {
  const app = [...world.installations.values()].find((each) => each.bot_id === bot_id);
  if (!app) throw new PersonError('this is not from the app');
  return app;
}

/** The installation that serves a workspace: its own, or that of the whole organization. */
export function appOfTeam({ world }: PeopleContext, teamId: string): Installation {
  const team = world.teams.get(teamId)?.name ?? teamId;
  const app = installationServing(world, teamId);
  if (app?.status !== 'active') throw new PersonError(`the app is not installed at ${team}`);
  return app;
}

/** What payloads to an installation are made from. */
export const payloadContext = ({ world, origin }: PeopleContext, app: Installation): PayloadContext => ({
  world,
  origin,
  app,
});

/** A person who can still act. */
export function activeUser({ world }: PeopleContext, id: string): User {
  const user = userOf(world, id);
  if (user.deleted) throw new PersonError(`${user.name}'s account is deactivated`);
  return user;
}
