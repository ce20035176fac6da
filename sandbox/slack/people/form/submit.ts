/** Submits and closes modals, and applies the app's answer. */
import { z } from 'zod';
import { parseJson } from '../../../../src/json.ts';
import type { PostResult } from '../../../lib/http/client.ts';
import { statefulElements } from '../../blocks/blocks.ts';
import { readModal } from '../../blocks/validate.ts';
import { interactionBase, triggerField } from '../../delivery/payloads.ts';
import { presentView } from '../../present.ts';
import { PersonError, SlackError } from '../../slack-error.ts';
import { closeModal as closeAll, closeTopView, pushView, topView, updateView } from '../../views/views.ts';
import { installationOf } from '../../world/app/installations.ts';
import type { User, View } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { type PeopleContext, sendInteraction } from '../context.ts';
import { type ActionResult, performAction, shortValue } from '../seen.ts';
import { topViewOf } from '../surface.ts';

export interface Submission extends ActionResult {
  outcome: SubmissionOutcome | 'not_sent';
  /** The error shown at a field, by block_id; the client's own where the form was not sent, else the app's. */
  errors: Record<string, string>;
}

/** Presses the submit button of the topmost view. If the client itself finds errors, the form is not sent. */
export function submit(context: PeopleContext, user: User): Promise<Submission> {
  return performAction(context, user, { name: 'submit', request: {} }, async () => {
    const view = topViewOf(context, user);
    if (!view.definition.submit) throw new PersonError('this view has no submit button');
    const mistakes = fieldMistakes(view);
    view.errors = mistakes;
    if (Object.keys(mistakes).length > 0) return { outcome: 'not_sent' as const, errors: mistakes };
    const result = await sendSubmission(context, user, view);
    const { outcome, trouble, why } = takeAnswer(context.world, view, result);
    return { result, trouble, why, outcome, errors: view.errors };
  });
}

function sendSubmission(context: PeopleContext, user: User, view: View): Promise<PostResult> {
  const app = installationOf(context.world, view.app_installed_team_id);
  const payloads = { ...context, app };
  return sendInteraction(context, {
    type: 'view_submission',
    ...interactionBase(payloads, user, view.team_id),
    ...triggerField(payloads, user, { channel: view.channel, view_id: view.id }),
    view: presentView(view),
    response_urls: [],
  });
}

export function closeModal(context: PeopleContext, user: User, { all = false }): Promise<ActionResult> {
  return performAction(context, user, { name: 'close', request: { all } }, async () => {
    topViewOf(context, user);
    if (all) closeAll(context.world, user.id);
    else closeTopView(context.world, user.id);
    return {};
  });
}

/** Returns the errors that Slack's client finds before it sends a form, by block_id. */
function fieldMistakes(view: View): Record<string, string> {
  const mistakes: Record<string, string> = {};
  for (const { block, element } of statefulElements(view.definition.blocks)) {
    if (block.type !== 'input') continue;
    const value = view.values[block.block_id]?.[element.action_id];
    const entered = value ? shortValue(value) : null;
    const isEmpty = entered === null || entered.length === 0;
    const mistake = isEmpty
      ? !block.optional && 'Please complete this required field.'
      : element.type === 'plain_text_input' && lengthMistake(entered.length, element.max_length);
    if (mistake) mistakes[block.block_id] = mistake;
  }
  return mistakes;
}

const lengthMistake = (length: number, most = 3000): string | false =>
  length > most && `Please enter at most ${most} characters.`;

/** The effect of a submission on the modal. After 'trouble' it stays open as it was. */
export type SubmissionOutcome = 'closed' | 'errors' | 'updated' | 'pushed' | 'trouble';

/** Slack's message in a modal if the app was late, failed, or sent an answer that Slack does not take. */
export const TROUBLE = 'We had some trouble connecting. Try again?';

const Answer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
]);

/** `why`: the error code and the complaints about an answer that Slack does not take, which no client shows. */
type Taken = { outcome: SubmissionOutcome; trouble?: string; why?: string };

/** Applies the app's answer to the modal. An empty 200 closes the view; any other body must contain a response_action. */
function takeAnswer(world: World, view: View, result: PostResult): Taken {
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
  const parsed = Answer.safeParse(parseJson(body));
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
  }
}

function showErrors(world: World, view: View, errors: Record<string, string>): void {
  const inputs = view.definition.blocks.flatMap(({ type, block_id }) => (type === 'input' ? block_id : []));
  const unknown = Object.keys(errors).find((block_id) => !inputs.includes(block_id));
  if (unknown !== undefined || Object.keys(errors).length === 0) throw new SlackError('invalid_errors');
  view.errors = errors;
  world.changes.publish({ type: 'view', user: view.user });
}
