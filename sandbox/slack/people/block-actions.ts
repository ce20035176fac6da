import type { PostResult } from '../../lib/http/client.ts';
import type { Placed } from '../blocks/walk.ts';
import { interactionBase, messageResponseUrl, surfaceFields, triggerField } from '../delivery/payloads.ts';
import type { User } from '../world/types.ts';
import { actingIn } from '../world/users.ts';
import { type PeopleContext, payloadContext } from './context.ts';
import type { LiveSurface } from './surface.ts';

/** Sends the app a block action. */
export function sendBlockAction(
  context: PeopleContext,
  user: User,
  surface: LiveSurface,
  { block, element }: Placed,
  did: Record<string, unknown>,
): Promise<PostResult> {
  const payloads = payloadContext(context, surface.app);
  const action = {
    type: element.type,
    action_id: element.action_id,
    block_id: block.block_id,
    ...did,
    action_ts: context.world.nextTs(),
  };
  const body = {
    type: 'block_actions',
    ...interactionBase(payloads, user, actingOn(context, user, surface)),
    ...triggerField(payloads, user, whereOf(surface)),
    ...surfaceFields(payloads, surface.at),
    ...('message' in surface.at && {
      state: { values: surface.values },
      ...messageResponseUrl(payloads, user, surface.at.message, 'actions'),
    }),
    actions: [action],
  };
  return context.connection.send({ kind: 'interactivity', name: 'block_actions', encoding: 'payload', body });
}

/** Returns the workspace in which a person acts: where the view was opened, or that of the message's channel. */
export function actingOn({ world }: PeopleContext, user: User, { at }: LiveSurface): string {
  return 'view' in at ? at.view.team_id : actingIn(user, world.channels.get(at.message.channel));
}

function whereOf({ at }: LiveSurface) {
  return 'view' in at ? { channel: at.view.channel, view_id: at.view.id } : { channel: at.message.channel };
}
