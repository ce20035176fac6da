import type { PostResult } from '../../lib/http/client.ts';
import type { Placed } from '../blocks/walk.ts';
import { interactionBase, messageResponseUrl, surfaceFields, triggerField } from '../delivery/payloads.ts';
import type { User } from '../world/types.ts';
import { type PeopleContext, payloadContext } from './context.ts';
import type { LiveSurface } from './surface.ts';

/** Tells the app that a person used an element. */
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
    ...interactionBase(payloads, user),
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

function whereOf({ at }: LiveSurface) {
  return 'view' in at ? { channel: at.view.channel, view_id: at.view.id } : { channel: at.message.channel };
}
