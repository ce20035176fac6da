/** The button "Record the outcome" and its form. */
import { recordableActions, rolesFor } from '../../../requests/use-cases/possible-actions.ts';
import { mayDo } from '../../../requests/use-cases/resolve-manually.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { type Filling, notice, requestFormAction } from '../views.ts';
import { OUTCOME_TITLE, outcomeForm, outcomeModal } from './outcome-form.ts';
import { manualResultText, nothingToRecordText, notTheirsText } from './result-text.ts';

/** "Record the outcome" on a card: asks what became of the request. */
export function recordOutcomeAction(deps: ListenerDeps): Listener<ActionArgs> {
  return requestFormAction(deps, OUTCOME_TITLE, ({ moment }, who) => formToRecord(deps, who, moment));
}

/** The form in which a person records what became of a request, or why there is none for them. @param moment of their click */
export async function formToRecord(
  deps: ListenerDeps,
  who: { workspace: string; id: string; by: string },
  moment: number | undefined,
): Promise<Filling> {
  const found = await deps.findForResolution(who);
  if (found.type !== 'found') return { refused: manualResultText(found, undefined) };
  const { record } = found;
  const possible = recordableActions(record);
  const [first] = possible;
  if (!first) return { refused: nothingToRecordText(record) };
  const theirs = possible.filter((action) => mayDo(found, action));
  const addresses = await deps.settings(record.workspace);
  const { paused } = addresses;
  if (theirs.length > 0) return outcomeModal(record, theirs, { moment, paused, addresses });
  return { refused: notTheirsText(record, first, rolesFor(record, first)) };
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
