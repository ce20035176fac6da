/** A private channel has another id from now on, because somebody begins to share it. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

export function channelMovedEvent({ channelMoved }: ListenerDeps): Listener<EventArgs<'channel_id_changed'>> {
  return ({ event: { old_channel_id: from, new_channel_id: to }, context }) =>
    channelMoved({ workspace: workspaceOf(context), from, to });
}
