/** Opens the form of a new request, filled in as for one that came to nothing. */
import { linkTo, originOf } from '../../client/links.ts';
import { type ActionArgs, clickOn, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { manualResultText, notOfferedText } from '../resolve/result-text.ts';
import { type Filling, isOnHome, openModal } from '../views.ts';
import { filledForm } from './open.ts';

export const AGAIN_TITLE = 'Request again';

/** The button "Request again": of a card, of a direct message about it, or on a person's own page. */
export function requestAgainAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const who = { workspace: workspaceOf(context), id: clickOn(action).ref.id, by: body.user.id };
    const meanwhile = 'Loading the request…';
    const opening = {
      client,
      triggerId: body.trigger_id,
      title: AGAIN_TITLE,
      meanwhile,
      onHome: isOnHome(body),
    };
    await openModal(deps, opening, () => formAgain(deps, who, body.team?.domain));
  };
}

/**
 * The form of a new request with the order or offer, the reason and the place of an earlier one, or why there is none for this
 * person. Its submission is that of any new request: rights, slot and approval are checked as if there had been no other.
 *
 * @param domain of the workspace, as Slack names it in what the person did
 */
export async function formAgain(
  deps: ListenerDeps,
  who: { workspace: string; id: string; by: string },
  domain: string | undefined,
): Promise<Filling> {
  const found = await deps.toRequestAgain(who);
  if (found.type === 'not_offered') return { refused: notOfferedText(found.record) };
  if (found.type !== 'offered') return { refused: manualResultText(found, undefined) };
  const { kind, target, reason, channel, thread, message, ticket } = found.record;
  const place = thread === undefined ? { channel } : { origin: originIn(domain, { channel, thread }) };
  return filledForm(deps, {
    kind,
    who: { workspace: who.workspace, requester: who.by, channel },
    known: { target, reason, ...place, ...(message && { message }), ...(ticket && { ticket }) },
  });
}

/** The thread in which the card was, whose parent stands for the message that the request was made from. */
function originIn(domain: string | undefined, { channel, thread }: { channel: string; thread: string }) {
  return { channel, thread, link: linkTo(originOf(domain), { channel, ts: thread, thread }) };
}
