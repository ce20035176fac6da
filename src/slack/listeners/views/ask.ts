/** Somebody has filled in what they ask for. */
import type { ViewResponseAction } from '@slack/bolt';
import type { Asked } from '../../../requests/ask.ts';
import type { Kind } from '../../../requests/kinds.ts';
import { readAskModal } from '../../ui/ask-modal.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { barrierSentence, fieldErrors } from '../../ui/problems.ts';
import { alreadySubmittedText, slotTakenText } from '../../ui/standing.ts';
import { WORDS } from '../../ui/words.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';

export function askSubmission(kind: Kind, deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const asked = await deps.ask({
      ...readAskModal(view.state.values),
      workspace: workspaceOf(context),
      asker: body.user.id,
      kind,
      // Slack delivers a submission again when its answer was late; the view is the same.
      idempotencyKey: view.id,
    });
    const answer = await toAnswer(kind, asked, deps);
    await (answer ? ack(answer) : ack());
  };
}

/** Undefined closes the modal: the card will tell the rest. */
async function toAnswer(
  kind: Kind,
  asked: Asked,
  { links }: ListenerDeps,
): Promise<ViewResponseAction | undefined> {
  const { title } = WORDS[kind];
  switch (asked.type) {
    case 'asked':
      return undefined;
    case 'invalid':
      return { response_action: 'errors', errors: fieldErrors(asked.problems) };
    case 'not_allowed':
    case 'not_connected':
    case 'token_refused':
      return { response_action: 'update', view: noticeModal(title, barrierSentence(asked)) };
    case 'slot_taken': {
      const text = slotTakenText(asked.by, await links.toCard(asked.by));
      return { response_action: 'push', view: noticeModal(title, text) };
    }
    case 'already_submitted': {
      const text = alreadySubmittedText(asked.record, await links.toCard(asked.record));
      return { response_action: 'push', view: noticeModal(title, text) };
    }
  }
}
