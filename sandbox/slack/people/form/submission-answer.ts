import { z } from 'zod';
import type { PostResult } from '../../../lib/http/client.ts';
import { tryJson } from '../../../lib/json.ts';
import { SlackError } from '../../slack-error.ts';
import { closeModal, closeTopView, pushView, topView, updateView } from '../../views/modal.ts';
import { readModal } from '../../views/read-views.ts';
import type { View } from '../../world/types.ts';
import type { World } from '../../world/world.ts';

/** The effect of a submission on the modal. After 'trouble' it stays open as it was. */
export type SubmissionOutcome = 'closed' | 'errors' | 'updated' | 'pushed' | 'cleared' | 'trouble';

/** Slack's message in a modal if the app was late, failed, or sent an answer that Slack does not take. */
export const TROUBLE = 'We had some trouble connecting. Try again?';

const Answer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
  z.object({ response_action: z.literal('clear') }),
]);

/** `why`: what Slack does not take, in its own code and JSON, which no client shows. */
type Taken = { outcome: SubmissionOutcome; trouble?: string; why?: string };

/** Applies the app's answer to the modal. An empty 200 closes the view; any other body must contain a response_action. */
export function takeAnswer(world: World, view: View, result: PostResult): Taken {
  if (result.ended !== 'answered' || result.status !== 200) return { outcome: 'trouble', trouble: TROUBLE };
  try {
    return { outcome: applyAnswer(world, view, result.body) };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    const details = error.details['response_metadata'];
    return { outcome: 'trouble', trouble: TROUBLE, why: `${error.code} ${JSON.stringify(details ?? '')}` };
  }
}

function applyAnswer(world: World, view: View, body: string): SubmissionOutcome {
  // The form was sent twice, and the first answer has closed the view.
  if (topView(world, view.user) !== view) return 'closed';
  if (body === '') {
    closeTopView(world, view.user);
    return 'closed';
  }
  const parsed = Answer.safeParse(tryJson(body));
  if (!parsed.success) throw new SlackError('invalid_response_action');
  const answer = parsed.data;
  switch (answer.response_action) {
    case 'errors':
      showErrors(world, view, answer.errors);
      return 'errors';
    case 'update':
      updateView(world, view, readModal(answer.view));
      return 'updated';
    case 'push': {
      const { user, app_installed_team_id: team_id, channel } = view;
      pushView(world, { user, team_id, channel }, readModal(answer.view));
      return 'pushed';
    }
    case 'clear':
      closeModal(world, view.user);
      return 'cleared';
  }
}

function showErrors(world: World, view: View, errors: Record<string, string>): void {
  const inputs = view.definition.blocks.flatMap(({ type, block_id }) => (type === 'input' ? block_id : []));
  const unknown = Object.keys(errors).find((block_id) => !inputs.includes(block_id));
  if (unknown !== undefined || Object.keys(errors).length === 0) throw new SlackError('invalid_errors');
  view.errors = errors;
  world.changes.publish({ type: 'view', user: view.user });
}
