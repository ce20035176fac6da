import type { PostResult } from '../../../lib/http/client.ts';
import { statefulElements } from '../../blocks/walk.ts';
import { interactionBase, triggerField } from '../../delivery/payloads.ts';
import { createResponseUrl } from '../../delivery/response/urls.ts';
import { presentView } from '../../present/view.ts';
import { closeModal as closeAll, closeTopView, openViews } from '../../views/modal.ts';
import type { View } from '../../views/types.ts';
import { installationOf } from '../../world/app/installations.ts';
import type { User } from '../../world/types.ts';
import { type PeopleContext, PersonError, payloadContext } from '../context.ts';
import { act, type Seen } from '../seen.ts';
import { fieldMistakes } from './field-mistakes.ts';
import { type SubmissionOutcome, takeAnswer } from './submission-answer.ts';

/** What came of a submission. */
export interface Submission extends Seen {
  outcome: SubmissionOutcome | 'not_sent';
  /** What stands in red at a field, by block_id; from the client where it was not sent, else from the app. */
  errors: Record<string, string>;
}

/** Presses the submit button of the topmost view. What the client itself finds wrong is not sent. */
export function submit(context: PeopleContext, user: User): Promise<Submission> {
  return act(context, user, { name: 'submit', request: {} }, async () => {
    const view = topViewOf(context, user);
    if (!view.definition.submit) throw new PersonError('this view has no submit button');
    const mistakes = fieldMistakes(view);
    view.errors = mistakes;
    if (Object.keys(mistakes).length > 0) return { outcome: 'not_sent' as const, errors: mistakes };
    const result = await sendSubmission(context, user, view);
    const { outcome, trouble } = takeAnswer(context.world, view, result);
    return { result, trouble, outcome, errors: view.errors };
  });
}

function sendSubmission(context: PeopleContext, user: User, view: View): Promise<PostResult> {
  const app = installationOf(context.world, view.app_installed_team_id);
  const payloads = payloadContext(context, app);
  const body = {
    type: 'view_submission',
    ...interactionBase(payloads, user),
    ...triggerField(payloads, user, { channel: view.channel, view_id: view.id }),
    view: presentView(view),
    response_urls: responseUrls(context, user, view),
  };
  return context.connection.send({
    kind: 'interactivity',
    name: 'view_submission',
    encoding: 'payload',
    body,
  });
}

function responseUrls({ world, origin }: PeopleContext, user: User, view: View) {
  return statefulElements(view.definition.blocks).flatMap(({ block, element }) => {
    if (!('response_url_enabled' in element) || !element.response_url_enabled) return [];
    const value = view.values[block.block_id]?.[element.action_id];
    const channel_id = value?.selected_conversation ?? value?.selected_channel;
    if (!channel_id) return [];
    const to = { team_id: view.app_installed_team_id, channel: channel_id, user: user.id };
    const response_url = origin + createResponseUrl(world, to, 'app');
    return [{ block_id: block.block_id, action_id: element.action_id, channel_id, response_url }];
  });
}

/** Closes the topmost view, or the whole modal. The app hears of it where it asked for that. */
export function closeModal(context: PeopleContext, user: User, { all = false }): Promise<Seen> {
  return act(context, user, { name: 'close', request: { all } }, async () => {
    const view = topViewOf(context, user);
    const isCleared = all || view.definition.clear_on_close;
    if (isCleared) closeAll(context.world, user.id);
    else closeTopView(context.world, user.id);
    if (!view.definition.notify_on_close) return {};
    const app = installationOf(context.world, view.app_installed_team_id);
    const body = {
      type: 'view_closed',
      ...interactionBase(payloadContext(context, app), user),
      view: presentView(view),
      is_cleared: isCleared,
    };
    const result = await context.connection.send({
      kind: 'interactivity',
      name: 'view_closed',
      encoding: 'payload',
      body,
    });
    return { result };
  });
}

function topViewOf({ world }: PeopleContext, user: User): View {
  const view = openViews(world, user.id).at(-1);
  if (!view) throw new PersonError(`${user.name} has no modal open`);
  return view;
}
