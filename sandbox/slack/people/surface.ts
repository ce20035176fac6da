/** Finds what a person acts on: a view or a message that they see, and the element in it that they name. */
import { type Block, interactiveElements, type Placed } from '../blocks/blocks.ts';
import type { InteractiveElement } from '../blocks/elements.ts';
import type { Option } from '../blocks/text.ts';
import type { Surface } from '../delivery/payloads.ts';
import { PersonError } from '../slack-error.ts';
import { startingValues } from '../views/state.ts';
import { homeOf, topView } from '../views/views.ts';
import { installationOf } from '../world/app/installations.ts';
import { ephemeralsFor, findMessage } from '../world/messages.ts';
import type { Ephemeral, HomePage, Installation, Message, User, View } from '../world/types.ts';
import {
  appOfBot,
  appOfTeam,
  type Entered,
  HOME,
  type MessageRef,
  ownChannel,
  type PeopleContext,
  type Where,
} from './context.ts';

/** The surface that a person can act on: the topmost view, or a message, with the values that they entered in it. */
export interface LiveSurface extends Entered {
  at: Surface;
  app: Installation;
  blocks: readonly Block[];
  former: readonly (readonly Block[])[];
}

export function surfaceOf(context: PeopleContext, user: User, where: Where | undefined): LiveSurface {
  if (where === HOME) return homeSurface(context, user);
  if (where) return messageSurface(context, user, visibleMessage(context, user, where));
  const view = topViewOf(context, user);
  return viewSurface(view, installationOf(context.world, view.app_installed_team_id));
}

export function topViewOf({ world }: PeopleContext, user: User): View {
  const view = topView(world, user.id);
  if (!view) throw new PersonError(`${user.name} has no modal open`);
  return view;
}

function viewSurface(view: View | HomePage, app: Installation): LiveSurface {
  const { values, suggestions, definition } = view;
  return { at: { view }, app, blocks: definition.blocks, former: [], values, suggestions };
}

/** Returns a message that the person sees: one of the channel, or an ephemeral one of theirs. */
export function visibleMessage(context: PeopleContext, user: User, where: MessageRef): Message | Ephemeral {
  const channel = ownChannel(context, user, where.channel);
  const found =
    findMessage(channel, where.ts) ??
    ephemeralsFor(context.world, user.id, channel.id).find(({ ts }) => ts === where.ts);
  if (!found) throw new PersonError(`${user.name} sees no message ${where.ts} in ${where.channel}`);
  return found;
}

function homeSurface(context: PeopleContext, user: User): LiveSurface {
  const app = appOfTeam(context, user.team_id);
  const view = homeOf(context.world, app, user.id);
  if (!view) throw new PersonError(`${user.name} has no page in the Home tab`);
  return viewSurface(view, app);
}

function messageSurface(context: PeopleContext, user: User, message: Message | Ephemeral): LiveSurface {
  const { world, entered } = context;
  const blocks = message.blocks ?? [];
  const byUser = entered.get(message) ?? new Map<string, Entered>();
  const before = byUser.get(user.id);
  const values = startingValues(blocks, { world, user: user.id, channel: message.channel }, before?.values);
  const state: Entered = { values, suggestions: before?.suggestions ?? new Map() };
  entered.set(message, byUser.set(user.id, state));
  const app = appOfBot(context, message.bot_id);
  return { at: { message }, app, blocks, former: context.formerBlocks(message), ...state };
}

/** Returns the one element with this name: its action_id, its `block_id/action_id`, its input's block_id, or its label. */
export function elementCalled(surface: LiveSurface, name: string): Placed {
  const all = interactiveElements(surface.blocks);
  const found = [byId, byBlock, byLabel]
    .map((isCalled) => all.filter((placed) => isCalled(placed, name)))
    .find(({ length }) => length > 0);
  if (found?.[0] && found.length === 1) return found[0];
  const known = all.map(({ element }) => element.action_id).join(', ') || 'nothing to use';
  throw new PersonError(`"${name}" is ${found ? 'ambiguous' : 'not there'}; there is: ${known}`);
}

/**
 * Returns the element that is pressed. After a confirmation dialog, an update may have changed or removed the element; it is
 * then found in the earlier blocks, by both of its ids and by what the person saw: the value of a button, or an option.
 */
export function elementPressed(surface: LiveSurface, name: string, seen: string | undefined): Placed {
  const isNamed = ({ block, element }: Placed) => name === `${block.block_id}/${element.action_id}`;
  const versions = [surface.blocks, ...surface.former].flatMap((blocks) =>
    interactiveElements(blocks).filter(isNamed),
  );
  return versions.find(({ element }) => has(element, seen)) ?? versions[0] ?? elementCalled(surface, name);
}

/** Whether an element has the value or the option that the person saw; true without `seen`. */
function has(element: InteractiveElement, seen: string | undefined): boolean {
  if (seen === undefined) return true;
  if (element.type === 'button') return element.value === seen;
  return element.type === 'overflow' && element.options.some((each) => isOption(each, seen));
}

export const isOption = ({ text, value }: Option, called: string | undefined): boolean =>
  called === value || called === text.text;

const byId = ({ block, element }: Placed, name: string) =>
  name === element.action_id || name === `${block.block_id}/${element.action_id}`;

const byBlock = ({ block }: Placed, name: string) => block.type === 'input' && name === block.block_id;

const byLabel = ({ block, element }: Placed, name: string) =>
  (element.type === 'button' && [element.text.text, element.accessibility_label].includes(name)) ||
  (block.type === 'input' && block.label.text === name);
