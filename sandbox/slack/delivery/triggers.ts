import { randomBytes } from 'node:crypto';
import { SlackError } from '../slack-error.ts';
import type { Installation, Trigger } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** Slack's limit: a trigger opens one view, within three seconds. */
const LIFETIME_MS = 3_000;

/** Creates a trigger. */
export function createTrigger(
  world: World,
  given: Pick<Trigger, 'user' | 'team_id' | 'channel' | 'view_id'>,
): Trigger {
  const id = `${world.now()}.${world.triggers.size + 1}.${randomBytes(16).toString('hex')}`;
  const trigger = { ...given, id, expires_at: world.now() + LIFETIME_MS, exchanged: false };
  world.triggers.set(id, trigger);
  return trigger;
}

/** Uses a trigger up. */
export function exchangeTrigger(world: World, id: string, installation: Installation): Trigger {
  const trigger = world.triggers.get(id);
  if (trigger?.team_id !== installation.team_id) throw new SlackError('invalid_trigger_id');
  if (trigger.exchanged) throw new SlackError('exchanged_trigger_id');
  if (world.now() > trigger.expires_at) throw new SlackError('expired_trigger_id');
  trigger.exchanged = true;
  return trigger;
}
