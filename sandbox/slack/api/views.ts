/** The methods of views, and blocks.validate. */
import { z } from 'zod';
import {
  readHome,
  readModal,
  type Validated,
  validateHome,
  validateMessageBlocks,
  validateModal,
} from '../blocks/validate.ts';
import { exchangeTrigger } from '../delivery/payloads.ts';
import { presentHome, presentView } from '../present.ts';
import { SlackError, validationError } from '../slack-error.ts';
import { findOpenView, openModal, publishHome, pushView, topView, updateView } from '../views/views.ts';
import type { Trigger, View } from '../world/types.ts';
import { isUserVisible } from '../world/users.ts';
import type { World } from '../world/world.ts';
import { type ApiMethod, json, method } from './method.ts';

const view = json;
const trigger_id = z.string().default('');

const showing = (
  name: string,
  show: (world: World, trigger: Trigger, definition: ReturnType<typeof readModal>) => View,
): ApiMethod =>
  method({
    name,
    tier: 4,
    scopes: [],
    args: z.strictObject({ trigger_id, view }),
    run: ({ world, app }, args) => {
      const definition = readModal(args.view);
      return { view: presentView(show(world, exchangeTrigger(world, args.trigger_id, app), definition)) };
    },
  });

export const viewsOpen: ApiMethod = showing('views.open', openModal);

/**
 * The trigger must come from a modal, which must still be open (https://docs.slack.dev/reference/methods/views.push, `not_found`).
 * No page names the error for a trigger of no modal.
 */
export const viewsPush: ApiMethod = showing('views.push', (world, trigger, definition) => {
  if (trigger.view_id === undefined) throw new SlackError('invalid_trigger_id');
  if (topView(world, trigger.user)?.id !== trigger.view_id) throw new SlackError('not_found');
  return pushView(world, trigger, definition);
});

export const viewsUpdate: ApiMethod = method({
  name: 'views.update',
  tier: 4,
  scopes: [],
  args: z.strictObject({ view, view_id: z.string(), hash: z.string().optional() }),
  run: ({ world, app }, { view_id, hash, ...args }) => {
    const definition = readModal(args.view);
    const target = findOpenView(world, view_id);
    if (target?.app_installed_team_id !== app.team_id) throw new SlackError('not_found');
    return { view: presentView(updateView(world, target, definition, hash)) };
  },
});

/** Shows a person their page in the Home tab (https://docs.slack.dev/reference/methods/views.publish). */
export const viewsPublish: ApiMethod = method({
  name: 'views.publish',
  tier: 4,
  scopes: [],
  args: z.strictObject({ user_id: z.string(), view }),
  run: ({ world, app }, { user_id, ...args }) => {
    const definition = readHome(args.view);
    if (!world.app.homeTab) throw new SlackError('not_enabled');
    const user = world.users.get(user_id);
    if (!user || !isUserVisible(world, app.team_id, user))
      throw validationError({ error: 'invalid_arguments', messages: ['invalid `user_id`'] });
    return { view: presentHome(publishHome(world, app, user, definition)) };
  },
});

const optional = json.optional();

/**
 * Checks whether Slack would take blocks, a message or a view, exactly one of them
 * (https://docs.slack.dev/reference/methods/blocks.validate).
 */
export const blocksValidate: ApiMethod = method({
  name: 'blocks.validate',
  tier: 'unlimited',
  scopes: [],
  args: z.strictObject({ blocks: optional, message: optional, view: optional }),
  run: (_, given) => {
    const [[name, input] = [], ...more] = Object.entries(given).filter(([, value]) => value !== undefined);
    if (name === undefined || more.length > 0) throw new SlackError('invalid_arguments');
    const checked = CHECKS[name]?.(input);
    if (!checked || checked.ok) return {};
    throw new SlackError(`invalid_${name}`, { errors: checked.messages.map(errorOf(name)) });
  },
});

const CHECKS: Record<string, (input: unknown) => Validated<unknown>> = {
  blocks: validateMessageBlocks,
  message: (input) => validateMessageBlocks((input as { blocks?: unknown } | null)?.blocks),
  view: (input) =>
    (input as { type?: unknown } | null)?.type === 'home' ? validateHome(input) : validateModal(input),
};

/** Converts a complaint. Its pointer begins in the argument: at an index of `blocks`, at a field of `message` or `view`. */
const errorOf = (name: string) => (complaint: string) => {
  const [, message = complaint, path = ''] = /^(.*) \[json-pointer:(.*)\]$/s.exec(complaint) ?? [];
  const root = name === 'message' ? '' : `/${name}`;
  return { code: 'failed_constraint', message, pointer: path.slice(path.startsWith(root) ? root.length : 0) };
};
