/**
 * Draws the form of a request anew, with what depends on what is filled in: whether the channel is shared, the link to the order
 * or offer, and a warning, after which the form can be submitted again.
 */
import type { types } from '@slack/bolt';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import { idMeant } from '../../../requests/use-cases/addresses.ts';
import { type FilledIn, type GivenBack, withBlocks } from '../../blocks/forms.ts';
import { requestCallback } from '../../blocks/ids.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';
import { type ActionArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { createRedraw } from '../views.ts';
import { type AboutRequest, readRequestForm } from './request-form.ts';
import { LINKS, requestModal } from './request-modal.ts';

/** Listens to the fields for the id and the channel. If this fails, the form stays as it is: the submission checks both again. */
export function requestFilledInAction(deps: ListenerDeps): Listener<ActionArgs> {
  const redraw = createRedraw();
  return async ({ ack, body, client, context }) => {
    await ack();
    const { view } = body;
    const kind = KIND_NAMES.find((name) => requestCallback(name) === view?.callback_id);
    if (!view || !kind) throw new Error("Slack's payload has no view, so there is no form to update.");
    const who = { workspace: workspaceOf(context), requester: body.user.id };
    await redraw(client, who.workspace, view, () => filledIn(deps, kind, view, who)).catch((err) =>
      deps.log.warn({ err, workspace: who.workspace }, 'request form not updated'),
    );
  };
}

/** The form with what depends on what is filled in. The input stays, because the blocks keep their ids. */
async function filledIn(
  { sharingOf, settings, usageBy }: ListenerDeps,
  kind: Kind,
  view: GivenBack & FilledIn,
  { workspace, requester }: { workspace: string; requester: string },
): Promise<types.ModalView> {
  const { request, about } = readRequestForm(kind, view);
  const { channel, target, reason, ticket } = request;
  const known = await settings(workspace);
  const [sharing, usage] = await Promise.all([
    channel ? sharingOf({ workspace, channel, settings: known }) : ('none' as const),
    usageBy({ workspace, requester, settings: known }),
  ]);
  const typed = { ...about, target: idMeant(kind, target, known), reason, ticket };
  const details = { reasons: known.reasons, sharing, usage, addresses: known };
  return keepWarning(view, requestModal(kind, typed, details));
}

const WARNING = 'warning';

/**
 * `submit`: the label of the submit button while the warning is shown. `shown`: the metadata of the form, which names the
 * warnings that were shown.
 */
type Warning = { text: string; submit: string; shown: AboutRequest };

/**
 * Puts a warning at the top of a submitted form: the person reads it, and submits again or corrects the form.
 */
export function withWarning(form: GivenBack, { text, submit, shown }: Warning): types.ModalView {
  // The link goes to the id as it was typed, whose spelling the person is asked about.
  const isMisspelt = shown.typed !== undefined;
  const blocks = form.blocks.filter(
    ({ block_id }) => block_id !== WARNING && !(isMisspelt && block_id === LINKS),
  );
  return {
    ...withBlocks(form, [{ ...section(text), block_id: WARNING }, ...blocks]),
    submit: plain(submit, LIMITS.modalButton),
    private_metadata: JSON.stringify(shown),
  };
}

/** Keeps the warning of a form that is drawn anew while it is filled in. */
function keepWarning(form: GivenBack, anew: types.ModalView): types.ModalView {
  const warning = form.blocks.filter(({ block_id }) => block_id === WARNING);
  if (warning.length === 0 || !form.submit) return anew;
  const { submit, private_metadata } = form;
  return { ...anew, submit, private_metadata, blocks: [...warning, ...anew.blocks] };
}
