/** A user group has other members, another name, or was disabled: its members may be those who ask or approve. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/**
 * @see https://docs.slack.dev/reference/events/subteam_updated, which also tells that a group was disabled
 * @see https://docs.slack.dev/reference/events/subteam_members_changed
 */
export function groupChangedEvent({
  directory,
  approversChanged,
}: ListenerDeps): Listener<EventArgs<'subteam_updated' | 'subteam_members_changed'>> {
  return async ({ event, context }) => {
    const workspace = workspaceOf(context);
    const group = event.type === 'subteam_updated' ? event.subteam.id : event.subteam_id;
    directory.forgetGroup(workspace, group);
    await approversChanged({ workspace, group });
  };
}
