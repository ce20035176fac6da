/** The button "Record the outcome" and its form. */
import { recordableActions, rolesFor } from '../../../requests/use-cases/possible-actions.ts';
import { mayDo } from '../../../requests/use-cases/resolve-manually.ts';
import { noticeModal } from '../../blocks/forms.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { notice, requestFormAction } from '../views.ts';
import { OUTCOME_TITLE, outcomeForm, outcomeModal } from './outcome-form.ts';
import { manualResultText, nothingToRecordText, notTheirsText } from './result-text.ts';

/** "Record the outcome" on a card: asks what became of the request. */
export function recordOutcomeAction(deps: ListenerDeps): Listener<ActionArgs> {
  return requestFormAction(deps, OUTCOME_TITLE, async ({ moment }, who) => {
    const found = await deps.findForResolution(who);
    if (found.type !== 'found') return noticeModal(OUTCOME_TITLE, manualResultText(found, undefined));
    const { record } = found;
    const possible = recordableActions(record);
    const [first] = possible;
    if (!first) return noticeModal(OUTCOME_TITLE, nothingToRecordText(record));
    const theirs = possible.filter((action) => mayDo(found, action));
    const addresses = await deps.settings(record.workspace);
    const { paused } = addresses;
    if (theirs.length > 0) return outcomeModal(record, theirs, { moment, paused, addresses });
    return noticeModal(OUTCOME_TITLE, notTheirsText(record, first, rolesFor(record, first)));
  });
}

/** A person has recorded what became of a request. */
export function recordOutcomeSubmission({ resolveManually, links }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { about, values } = outcomeForm().read(view);
    const { ref, moment } = about;
    const by = body.user.id;
    const who = { workspace: workspaceOf(context), ...ref, by, click: view.id, moment };
    const result = await resolveManually(who, values.action);
    if (result.type === 'done') return ack();
    const link = 'by' in result ? await links.toCard(result.by) : undefined;
    return ack(notice(OUTCOME_TITLE, manualResultText(result, link)));
  };
}
