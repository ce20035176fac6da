/**
 * Listens to approvers: votes by button and by reaction, votes taken back, and reasons for declining. The words of its two forms
 * are here, too.
 */
import type { types, webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { RecordRef } from '../../outbox/record-store.ts';
import { BUTTON } from '../../requests/model/approval.ts';
import type { Choice } from '../../requests/model/cause.ts';
import { OutsiderProblem } from '../../requests/model/policy.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import type { ReasonGiven } from '../../requests/use-cases/approvals/give-reason.ts';
import type { Reacted, Reacting } from '../../requests/use-cases/approvals/react.ts';
import type { Voted } from '../../requests/use-cases/approvals/vote.ts';
import { type Field, text } from '../blocks/fields.ts';
import { CLICKED, type Clicked, form } from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../blocks/ids.ts';
import { section, textMessage } from '../blocks/text.ts';
import { failureOf } from '../client/call-slack.ts';
import { answerClick, refusal, tellDirectly, textInstead, textOnTop } from '../listeners/answers.ts';
import { concernedBy, ifScopeMissing } from '../listeners/concerned.ts';
import {
  type ActionArgs,
  clickOn,
  type EventArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  slackMoment,
  type ViewArgs,
  workspaceOf,
} from '../listeners/listener.ts';
import { type ModalAboutRequest, requestFormAction } from '../listeners/modals.ts';
import { personSentence, REQUEST_NOT_FOUND } from '../messages/sentences/problems.ts';
import { notToBeSent, SHARED, targetOf } from '../messages/sentences/request-words.ts';
import { voteAnswer, voteFeedback } from '../messages/sentences/vote-texts.ts';

export const approval: Feature = (deps) => ({
  actions: {
    [ACTIONS.approve]: voteAction((request, by, click) => deps.vote(request, voteOf(click, by, 'yes'))),
    [ACTIONS.decline]: requestFormAction(deps, DECLINE),
    [ACTIONS.takeBack]: voteAction((request, by, { moment }) => deps.takeBack(request, { by, moment })),
    [ACTIONS.addReason]: requestFormAction(deps, ADD_REASON),
  },
  views: {
    [CALLBACKS.decline]: declineSubmission(deps),
    [CALLBACKS.addReason]: addReasonSubmission(deps),
  },
  events: {
    reaction_added: reactionEvent(deps),
    reaction_removed: reactionEvent(deps),
  },
});

/** Listens to a button about a vote. The card tells of a vote that counts; any other is explained privately. */
function voteAction(
  act: (request: RecordRef, by: string, click: Clicked) => Promise<Voted>,
): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const click = clickOn(action);
    const request = { workspace: workspaceOf(context), id: click.ref.id };
    const feedback = voteAnswer(await act(request, body.user.id, click));
    if (feedback !== undefined) await answerClick({ body, respond }, feedback);
  };
}

const voteOf = ({ ref: { seen }, moment }: Clicked, by: string, choice: Choice) => ({
  by,
  choice,
  source: BUTTON,
  added: true,
  round: seen.round,
  moment,
});

const DECLINE: ModalAboutRequest = {
  title: 'Decline the request',
  async fill(deps, clicked) {
    const { workspace, id, by } = clicked.who;
    const voted = await deps.mayVote({ workspace, id }, voteOf(clicked, by, 'no'));
    if (voted.type !== 'counted') return { refused: voteFeedback(voted) };
    return declineModal(clicked, voted.record, await deps.settings(workspace));
  },
};

function declineSubmission({ vote }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { read, mistakes } = declineForm();
    const { about, values } = read(view);
    const refused = refusal(mistakes(values));
    if (refused) return ack(refused);
    const request = { workspace: workspaceOf(context), id: about.ref.id };
    const by = body.user.id;
    const voted = await vote(request, { ...voteOf(about, by, 'no'), isForm: true, ...values });
    if (voted.type === 'counted') return ack();
    // Sending is resumed sooner or later: the form keeps the reason until then.
    const show = voted.type === 'paused' ? textOnTop : textInstead;
    return ack(show(DECLINE.title, voteFeedback(voted)));
  };
}

const ADD_REASON: ModalAboutRequest = {
  title: 'Add a reason',
  async fill(deps, clicked) {
    const may = await deps.mayGiveReason(clicked.who);
    return may.type === 'given' ? addReasonModal(clicked, may.record) : { refused: reasonText(may) };
  },
};

function addReasonSubmission({ giveReason }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { read, mistakes } = addReasonForm();
    const { values, about } = read(view);
    const refused = refusal(mistakes(values));
    if (refused) return ack(refused);
    const who = { workspace: workspaceOf(context), id: about.ref.id, by: body.user.id };
    const given = await giveReason({ ...who, ...values });
    return given.type === 'given' ? ack() : ack(textInstead(ADD_REASON.title, reasonText(given)));
  };
}

export function reasonText(given: Exclude<ReasonGiven, { type: 'given' }>): string {
  switch (given.type) {
    case 'not_found':
      return REQUEST_NOT_FOUND;
    case 'not_theirs':
      return 'Only the person who declined this request can add a reason. Nothing was changed.';
    case 'too_late':
      return 'A reason was already added. Nothing was changed.';
    case 'not_allowed':
      return personSentence(given.problem, 'Nothing was changed.');
  }
}

/** Characters: few enough that a sentence with the escaped reason fits into a section. */
export const DECLINE_REASON_MAX = 400;

type Where = Pick<RequestRecord, 'inSharedChannel'>;

const HINT =
  'The requester, approvers, admins, and everybody who reads the request in a channel can see your reason.';
const HINT_IN_SHARED_CHANNEL = `The requester, approvers and admins can read your reason. The thread of the request does not show it, because its channel is ${SHARED}.`;

/** The field for a reason. @param where the request is; left out to read the form, because only the hint depends on it */
const reasonField = (where: Where | undefined, optional: boolean): Field<string> =>
  text('reason', {
    label: 'Reason',
    hint: where?.inSharedChannel ? HINT_IN_SHARED_CHANNEL : HINT,
    multiline: true,
    max: DECLINE_REASON_MAX,
    optional,
    wrong(written) {
      if (written.length > DECLINE_REASON_MAX)
        return `A reason has at most ${DECLINE_REASON_MAX} characters.`;
      return written || optional ? undefined : 'Write a reason.';
    },
  });

const declineForm = (where?: Where) => form(CALLBACKS.decline, { reason: reasonField(where, true) }, CLICKED);

const addReasonForm = (where?: Where) =>
  form(CALLBACKS.addReason, { reason: reasonField(where, false) }, CLICKED);

export function declineModal(
  clicked: Clicked,
  record: RequestRecord,
  addresses?: Addresses,
): types.ModalView {
  const { view, fields } = declineForm(record);
  const said = section(
    `This declines the request about ${targetOf(record, addresses)}, and ${notToBeSent(record)}.`,
  );
  const buttons = { title: 'Decline this request?', submit: 'Decline', close: 'Decide later' };
  return view({ ...buttons, blocks: [said, fields.reason.block()] }, clicked);
}

export function addReasonModal(clicked: Clicked, where: Where): types.ModalView {
  const { view, fields } = addReasonForm(where);
  return view({ title: ADD_REASON.title, submit: 'Add reason', blocks: [fields.reason.block()] }, clicked);
}

type ReactionArgs = EventArgs<'reaction_added' | 'reaction_removed'>;

const NO_VOTE = { type: 'not_a_vote' } as const;

function reactionEvent(deps: ListenerDeps): Listener<ReactionArgs> {
  const tellVoter = createTellVoter(deps);
  return async (args) => {
    const { item, item_user: author, user: by, reaction: emoji, event_ts, type } = args.event;
    // A file has no channel, and no vote (https://docs.slack.dev/reference/events/reaction_added, "Embedded item objects").
    if (item.type !== 'message') return;
    const { channel, ts } = item;
    const moment = slackMoment(event_ts);
    // Votes are ordered by their time: without one, an old vote would count as new.
    if (moment === undefined) return deps.log.warn({ name: type }, 'reaction ignored: no time');
    const reaction = { by, message: { channel, ts }, emoji, added: type === 'reaction_added', moment };
    let isAwaited = false;
    // `item_user` is left out for a message that no user wrote (https://docs.slack.dev/reference/events/reaction_added).
    const isOfABot = async () => author === undefined || deps.installations.isBot(author);
    // Slack may name a workspace whose bot did not post the message.
    for await (const { workspace, client, botUserId } of concernedBy(deps, args, channel, isOfABot)) {
      const mayBeOurs = author === undefined || author === botUserId;
      const done = deps.react({ ...reaction, workspace, mayBeOurs });
      const reacted = await done.catch(ifScopeMissing(deps.log, workspace, type, NO_VOTE));
      if (reacted.type === 'not_yet') isAwaited = true;
      else if (reacted.type !== 'not_a_vote') return tellVoter(client, reaction, reacted);
    }
    // Not acknowledged, so Slack delivers the reaction again, at once and in a minute. By then the message, or the new id of its
    // channel, is recorded.
    if (isAwaited) throw new Error('A reaction came before the bot knew its message.');
  };
}

const MOST_TOLD_REMEMBERED = 10_000;

/**
 * Tells a voter privately where they voted or, if that fails, in a direct message: not while Slack limits such messages, because
 * direct messages have a limit of their own, which replies need. Tells once of a reaction, as far as this process knows: Slack
 * delivers again what is not acknowledged in time. Tells a person who may never vote once for each message. Never throws: the
 * vote is recorded, so a failure to tell its voter must not make Slack deliver it again.
 */
function createTellVoter({ log }: ListenerDeps) {
  const told = createCache<true>(MOST_TOLD_REMEMBERED);
  return async (
    client: webApi.WebClient,
    reaction: Pick<Reacting, 'by' | 'message' | 'emoji' | 'moment'>,
    { thread, ...voted }: Exclude<Reacted, { type: 'not_a_vote' | 'not_yet' }>,
  ): Promise<void> => {
    const { by: user, message } = reaction;
    const problem = voted.type === 'refused' ? OutsiderProblem.safeParse(voted.problem).data : undefined;
    const name = JSON.stringify(problem ? { user, message, problem } : reaction);
    const feedback = voteAnswer(voted);
    if (feedback === undefined || told.has(name)) return;
    told.set(name, true);
    const where = { user, channel: message.channel, ...(thread === undefined ? {} : { thread_ts: thread }) };
    await client.chat.postEphemeral({ ...where, ...textMessage(feedback) }).catch(async (err) => {
      log.warn({ err, user }, 'vote feedback not shown in the channel');
      if (failureOf(err).code !== 'ratelimited') return tellDirectly({ log }, client, user, feedback);
      told.delete(name);
    });
  };
}
