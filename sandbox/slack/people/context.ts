/** The context of people's acts, and the lookups of what they name. */
import type { PostResult } from '../../lib/http/client.ts';
import type { Journal } from '../../lib/http/journal.ts';
import type { Block } from '../blocks/blocks.ts';
import type { Option } from '../blocks/text.ts';
import type { AppConnection } from '../delivery/app-connection.ts';
import { PersonError } from '../slack-error.ts';
import { installationOfBot, installationServing } from '../world/app/installations.ts';
import { findChannel } from '../world/channels.ts';
import type { Channel, Ephemeral, Installation, Message, StateValues, User } from '../world/types.ts';
import { teamsOfUser, userOf } from '../world/users.ts';
import type { World } from '../world/world.ts';

export type PeopleContext = {
  world: World;
  journal: Journal;
  connection: AppConnection;
  origin: string;
  /** The commands and shortcuts of the app's manifest; undefined: any. */
  commands: ReadonlySet<string> | undefined;
  shortcuts: ReadonlySet<string> | undefined;
  /** The values that each person entered in each message, by user: only clients know them, so they are not in the world. */
  entered: WeakMap<Message | Ephemeral, Map<string, Entered>>;
  formerBlocks: FormerBlocks;
};

/** The values entered on a surface, and the options that the app last offered for its external selects. */
export type Entered = {
  values: StateValues;
  suggestions: Map<string, Option[]>;
};

/** The key of a message: the channel by id or `#name`, and its timestamp. */
export type MessageRef = {
  channel: string;
  ts: string;
};

/** In place of a message: the page in the Home tab of the app. */
export const HOME = 'home';

/** The place of an element that a person uses; left out: in the modal. */
export type Where = MessageRef | typeof HOME;

/** Finds a user by id or name; a name is that of the first workspace that has it. */
export function findUser({ world }: PeopleContext, idOrName: string): User {
  const name = idOrName.replace(/^@/, '');
  const user = world.users.get(idOrName) ?? [...world.users.values()].find((each) => each.name === name);
  if (!user) throw new PersonError(`there is nobody called ${idOrName}`);
  return user;
}

export function ownChannel(context: PeopleContext, user: User, idOrName: string): Channel {
  const channel = channelCalled(context, user, idOrName);
  if (!channel.members.has(user.id)) throw new PersonError(`${user.name} is not in ${idOrName}`);
  return channel;
}

export function channelCalled({ world }: PeopleContext, user: User, idOrName: string): Channel {
  const [channel] = teamsOfUser(user).flatMap((team) => findChannel(world, idOrName, team) ?? []);
  if (!channel) throw new PersonError(`there is no channel ${idOrName}`);
  return channel;
}

export function appOfBot({ world }: PeopleContext, bot_id: string | undefined): Installation {
  const app = bot_id === undefined ? undefined : installationOfBot(world, bot_id);
  if (!app) throw new PersonError('this is not from the app');
  return app;
}

/** Returns the installation that serves a workspace: its own, or the org-wide one. */
export function appOfTeam({ world }: PeopleContext, teamId: string): Installation {
  const team = world.teams.get(teamId)?.name ?? teamId;
  const app = installationServing(world, teamId);
  if (app?.status !== 'active')
    throw new PersonError(`the app is not installed at ${team}`, `Countermand is not installed in ${team}.`);
  return app;
}

/** Sends the app an interaction, which is named by the type of its payload. */
export function sendInteraction(
  { connection }: PeopleContext,
  body: Record<string, unknown> & { type: string },
): Promise<PostResult> {
  const kind = body.type === 'block_suggestion' ? 'options' : 'interactivity';
  return connection.send({ kind, name: body.type, encoding: 'payload', body });
}

export function activeUser({ world }: PeopleContext, id: string): User {
  const user = userOf(world, id);
  if (user.deleted) throw new PersonError(`${user.name}'s account is deactivated`);
  return user;
}

/** Returns the earlier blocks of an updated message, the newest first. */
type FormerBlocks = (message: Message | Ephemeral) => readonly (readonly Block[])[];

/** The most versions to keep: no dialog stays open for more updates. */
const MOST_VERSIONS = 20;

/**
 * Keeps the earlier blocks, because a person may have a dialog open about a button that an update changes or removes. No page
 * says what happens then. An unofficial client sends Slack the button as it was drawn, with its value
 * (https://github.com/yuya373/emacs-slack, slack-block.el). So here, too, the app gets the action as the person saw it, with the
 * current message.
 */
export function rememberFormerBlocks({ changes }: Pick<World, 'changes'>): FormerBlocks {
  const versions = new WeakMap<Message | Ephemeral, (readonly Block[])[]>();
  changes.subscribe((change) => {
    if (change.type !== 'message_changed') return;
    const { message, previous } = change;
    versions.set(message, [previous.blocks ?? [], ...(versions.get(message) ?? [])].slice(0, MOST_VERSIONS));
  });
  return (message) => versions.get(message) ?? [];
}
