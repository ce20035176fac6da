import { z } from 'zod';
import { exchangeTrigger } from '../../delivery/triggers.ts';
import { presentHome, presentView } from '../../present/view.ts';
import { SlackError, validationError } from '../../slack-error.ts';
import { publishHome } from '../../views/home.ts';
import { findOpenView, openModal, pushView, topView, updateView } from '../../views/modal.ts';
import { readHome, readModal } from '../../views/read-views.ts';
import { isUserVisible } from '../../world/users.ts';
import { json } from '../arguments.ts';
import { type ApiMethod, method } from '../method.ts';

const view = json;
const trigger_id = z.string().default('');

export const viewsOpen: ApiMethod = method({
  name: 'views.open',
  tier: 4,
  scopes: [],
  args: z.object({ trigger_id, view }),
  run: ({ world, app }, args) => {
    const definition = readModal(args.view);
    const trigger = exchangeTrigger(world, args.trigger_id, app);
    return { view: presentView(openModal(world, trigger, definition)) };
  },
});

/** Pushes a view. The trigger must come from a modal that is still open; no page names the error for another one. */
export const viewsPush: ApiMethod = method({
  name: 'views.push',
  tier: 4,
  scopes: [],
  args: z.object({ trigger_id, view }),
  run: ({ world, app }, args) => {
    const definition = readModal(args.view);
    const trigger = exchangeTrigger(world, args.trigger_id, app);
    const isFromModal = trigger.view_id !== undefined && topView(world, trigger.user)?.id === trigger.view_id;
    if (!isFromModal) throw new SlackError('invalid_trigger_id');
    return { view: presentView(pushView(world, trigger, definition)) };
  },
});

export const viewsUpdate: ApiMethod = method({
  name: 'views.update',
  tier: 4,
  scopes: [],
  args: z.object({
    view,
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
  }),
  run: ({ world, app }, { view_id, external_id, hash, ...args }) => {
    const definition = readModal(args.view);
    const target = findOpenView(
      world,
      (open) =>
        open.app_installed_team_id === app.team_id &&
        (view_id === undefined ? open.definition.external_id === external_id : open.id === view_id),
    );
    if (!target) throw new SlackError('not_found');
    return { view: presentView(updateView(world, target, definition, hash)) };
  },
});

/** Shows a person their page in the Home tab (https://docs.slack.dev/reference/methods/views.publish). */
export const viewsPublish: ApiMethod = method({
  name: 'views.publish',
  tier: 4,
  scopes: [],
  args: z.object({ user_id: z.string(), view, hash: z.string().optional() }),
  run: ({ world, app }, { user_id, hash, ...args }) => {
    const definition = readHome(args.view);
    if (!world.app.homeTab) throw new SlackError('not_enabled');
    const user = world.users.get(user_id);
    if (!user || !isUserVisible(world, app.team_id, user))
      throw validationError({ error: 'invalid_arguments', messages: ['invalid `user_id`'] });
    return { view: presentHome(publishHome(world, app, user, { definition, hash })) };
  },
});
