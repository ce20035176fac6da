/** Tells in the form what depends on what is filled in: whether the channel is shared, and where the id links to. */
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { idMeant } from '../../../requests/use-cases/addresses.ts';
import { trimmedId } from '../../../requests/use-cases/rules.ts';
import { requestCallback } from '../../blocks/ids.ts';
import { type ActionArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { replaceView } from '../views.ts';
import { readRequestForm, requestModal } from './request-form.ts';
import { keepWarning } from './warning.ts';

/** If this fails, the form stays as it is: the submission checks the channel again. */
export function requestFilledInAction({
  sharingOf,
  settings,
  usageBy,
  log,
}: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { view } = body;
    const kind = KIND_NAMES.find((name) => requestCallback(name) === view?.callback_id);
    if (!view || !kind) throw new Error("Slack's payload has no view, so there is no form to update.");
    const { request, about } = readRequestForm(kind, view);
    const { channel, target, reason } = request;
    const workspace = workspaceOf(context);
    try {
      const known = await settings(workspace);
      const [sharing, usage] = await Promise.all([
        channel ? sharingOf({ workspace, channel, settings: known }) : ('none' as const),
        usageBy({ workspace, requester: body.user.id, settings: known }),
      ]);
      const { reasons } = known;
      const typed = {
        ...about,
        target: idMeant(kind, trimmedId(target), known),
        reason,
        ticket: request.ticket,
      };
      const details = { reasons, sharing, usage, addresses: known };
      // The input stays, because the blocks keep their ids.
      await replaceView(client, view, keepWarning(view, requestModal(kind, typed, details)));
    } catch (error) {
      log.warn({ err: error, workspace }, 'request form not updated');
    }
  };
}
