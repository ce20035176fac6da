/** The form in which a person confirms that a request is sent again, where a button with a question of its own has no place. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { offeredActions } from '../../../requests/use-cases/possible-actions.ts';
import { form } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { CLICKED, refTo } from '../../blocks/ref.ts';
import { linksText } from '../../blocks/target-text.ts';
import { context, escaped, section } from '../../blocks/text.ts';
import { retryQuestion } from '../../messages/content/buttons.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { type Filling, notice } from '../views.ts';
import { manualResultText, tooLateText } from './result-text.ts';

export const RETRY_TITLE = 'Retry';

const FORM = form(CALLBACKS.retry, {}, CLICKED);

/** The form, or why there is none. @param moment of the click that opens it */
export async function formToRetry(
  { findForResolution, settings }: ListenerDeps,
  who: { workspace: string; id: string; by: string },
  moment: number | undefined,
): Promise<Filling> {
  const found = await findForResolution(who);
  if (found.type !== 'found') return { refused: manualResultText(found, undefined) };
  const { record } = found;
  if (!offeredActions(record).includes('retry'))
    return { refused: tooLateText(record, { at: 0, by: who.by, action: 'retry', state: record.state }) };
  return retryModal(record, moment, await settings(record.workspace));
}

/** @param addresses of the order or offer */
export function retryModal(
  record: RequestRecord,
  moment: number | undefined,
  addresses?: Addresses,
): types.ModalView {
  const { text, yes, no } = retryQuestion(record);
  const look = linksText(record, addresses);
  const blocks = [section(escaped(text)), ...(look ? [context(look)] : [])];
  return FORM.view({ title: RETRY_TITLE, submit: yes, close: no, blocks }, { ref: refTo(record), moment });
}

export function retrySubmission({ resolveManually, links }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { ref, moment } = FORM.read(view).about;
    const who = { workspace: workspaceOf(context), ...ref, by: body.user.id, click: view.id, moment };
    const result = await resolveManually(who, 'retry');
    if (result.type === 'done')
      return ack(notice(RETRY_TITLE, sentence(result.record, currentStep(result.record))));
    const link = 'by' in result ? await links.toCard(result.by) : undefined;
    return ack(notice(RETRY_TITLE, manualResultText(result, link)));
  };
}
