import { z } from 'zod';
import { exchangeTrigger } from '../../delivery/triggers.ts';
import { presentView } from '../../present/view.ts';
import { SlackError } from '../../slack-error.ts';
import { findOpenView, openModal, pushView, topView, updateView } from '../../views/modal.ts';
import { readModal } from '../../views/read-modal.ts';
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

/** Needs a trigger that was made in a modal which is still open. */
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
