/** The views that the app shows: the stack of a person's modal, and the page in the Home tab. */
import { randomBytes } from 'node:crypto';
import type { Option } from '../blocks/text.ts';
import type { HomeView, ModalView } from '../blocks/validate.ts';
import { SlackError } from '../slack-error.ts';
import { installationOf } from '../world/app/installations.ts';
import type { HomePage, Installation, StateValues, Trigger, User, View } from '../world/types.ts';
import { teamNamed, userOf } from '../world/users.ts';
import type { World } from '../world/world.ts';
import { startingValues } from './state.ts';

/** Slack's limit for one modal. */
const MAX_STACK = 3;

type Opener = Pick<Trigger, 'user' | 'team_id' | 'channel'>;

/** Opens a modal, and closes one that the person has open; Slack does not document this case. */
export function openModal(world: World, opener: Opener, definition: ModalView): View {
  refuseTakenExternalId(world, opener, definition);
  closeModal(world, opener.user);
  return stackView(world, opener, definition);
}

export function pushView(world: World, opener: Opener, definition: ModalView): View {
  if (openViews(world, opener.user).length >= MAX_STACK) throw new SlackError('push_limit_reached');
  refuseTakenExternalId(world, opener, definition);
  return stackView(world, opener, definition);
}

export function updateView(world: World, view: View, definition: ModalView, hash?: string): View {
  if (hash !== undefined && hash !== view.hash) throw new SlackError('hash_conflict');
  refuseTakenExternalId(world, { team_id: view.app_installed_team_id }, definition, view);
  const { user, channel, values } = view;
  view.definition = definition;
  view.values = startingValues(definition.blocks, { world, user, channel }, values);
  view.hash = newHash(world);
  view.errors = {};
  world.changes.publish({ type: 'view', user });
  return view;
}

export function openViews(world: World, user: string): View[] {
  return (world.modals.get(user) ?? []).flatMap((id) => world.views.get(id) ?? []);
}

export const topView = (world: World, user: string): View | undefined => openViews(world, user).at(-1);

export function findOpenView(world: World, id: string): View | undefined {
  const view = world.views.get(id);
  return view && openViews(world, view.user).find((each) => each === view);
}

export function closeTopView(world: World, user: string): void {
  world.modals.set(user, (world.modals.get(user) ?? []).slice(0, -1));
  world.changes.publish({ type: 'view', user });
}

export function closeModal(world: World, user: string): void {
  if (!world.modals.delete(user)) return;
  world.changes.publish({ type: 'view', user });
}

function stackView(world: World, { team_id, user, channel }: Opener, definition: ModalView): View {
  const below = openViews(world, user);
  const made = newView(world, installationOf(world, team_id), { user, channel, definition });
  const view = {
    ...made,
    root_view_id: below[0]?.id ?? made.id,
    previous_view_id: below.at(-1)?.id ?? null,
  };
  world.views.set(view.id, view);
  world.modals.set(user, [...below.map(({ id }) => id), view.id]);
  world.changes.publish({ type: 'view', user });
  return view;
}

/** @param before the values that stay, if the view replaces another one */
function newView<Definition extends ModalView | HomeView>(
  world: World,
  { team_id: app_installed_team_id, app_id, bot_id }: Installation,
  opened: { id?: string | undefined; user: string; channel?: string | undefined; definition: Definition },
  before?: StateValues,
) {
  const { id = world.nextId('V'), user, channel, definition } = opened;
  return {
    id,
    team_id: teamNamed(world, userOf(world, user), world.channels.get(channel ?? '')),
    app_installed_team_id,
    app_id,
    bot_id,
    user,
    definition,
    values: startingValues(definition.blocks, { world, user, channel }, before),
    hash: newHash(world),
    root_view_id: id,
    previous_view_id: null,
    channel,
    suggestions: new Map<string, Option[]>(),
    errors: {},
  };
}

/**
 * Refuses an id that another view has: "It must be unique for all views on a team"
 * (https://docs.slack.dev/reference/methods/views.open). A closed view counts, as was seen after a reload of the client
 * (slackapi/slack-api-specs#52).
 */
function refuseTakenExternalId(
  world: World,
  { team_id }: Pick<Opener, 'team_id'>,
  { external_id }: ModalView,
  self?: View,
): void {
  if (external_id === '') return;
  const isTaken = [...world.views.values()].some(
    (view) =>
      view !== self && view.app_installed_team_id === team_id && view.definition.external_id === external_id,
  );
  if (isTaken) throw new SlackError('duplicate_external_id');
}

const newHash = (world: World) => `${Math.floor(world.now() / 1000)}.${randomBytes(4).toString('hex')}`;

/** Returns the page that an installation of the app has last published for a person, in its Home tab. */
export const homeOf = (
  world: World,
  app: Pick<Installation, 'team_id'>,
  user: string,
): HomePage | undefined => world.homes.get(keyOf(app, user));

const keyOf = ({ team_id }: Pick<Installation, 'team_id'>, user: string) => `${team_id} ${user}`;

/** Publishes a page, in place of the one before. Entered values stay only for the same block_id and action_id. */
export function publishHome(world: World, app: Installation, user: User, definition: HomeView): HomePage {
  const before = homeOf(world, app, user.id);
  const page = newView(world, app, { id: before?.id, user: user.id, definition }, before?.values);
  world.homes.set(keyOf(app, user.id), page);
  world.changes.publish({ type: 'home_published', user: user.id });
  return page;
}
