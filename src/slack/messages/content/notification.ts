/** Notifications about a request: to approvers, to an admin, or in the thread. */
import type { types } from '@slack/bolt';
import { asChannelReads } from '../../../requests/model/facts/reasons.ts';
import type { MessageKey } from '../../../requests/model/message.ts';
import type { RequestNotification } from '../../../requests/model/notification.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS, COMMANDS } from '../../blocks/ids.ts';
import { deedOf, targetOf, withheldText } from '../../blocks/kind-copy.ts';
import { whoPaused } from '../../blocks/pause.ts';
import { refOf } from '../../blocks/ref.ts';
import {
  escaped,
  LIMITS,
  type Message,
  mention,
  mentions,
  messageOf,
  type NamePeople,
  section,
  truncate,
} from '../../blocks/text.ts';
import { approversAddressed, expiry, tally, troubleText } from '../sentences/approval-texts.ts';
import { sentence } from '../sentences/sentences.ts';

/** @param link to the message that counts, for whoever voted on another copy */
export function notificationMessage(
  record: RequestRecord,
  notification: RequestNotification,
  { link, people = mentions }: { link?: string | undefined; people?: NamePeople } = {},
): Message {
  if (notification.type === 'reason_wanted' && record.approval?.decision?.reason)
    return reasonAddedMessage(record);
  const said = textOf(record, notification, link, people);
  const text = truncate(
    notification.inChannel ? `${mention(personOf(record, notification))}: ${said}` : said,
    LIMITS.messageText,
  );
  return {
    text,
    blocks: [section(text), ...(notification.type === 'reason_wanted' ? [addReason(record)] : [])],
  };
}

/** The recipient of a notification that is posted in the channel because they take no direct messages. */
const personOf = ({ requester }: RequestRecord, notification: RequestNotification): string =>
  notification.type === 'misplaced_vote' ? notification.voter : requester;

function textOf(
  whole: RequestRecord,
  notification: RequestNotification,
  link: string | undefined,
  people: NamePeople,
): string {
  const record = asChannelReads(whole);
  if (notification.type === 'shared') return sharedText(record);
  if (notification.type === 'card_delayed') return delayedText(whole);
  if (notification.type === 'unclear') return unclearText(whole, notification.about);
  const { approval } = record;
  if (!approval) return '';
  const { policy, decision, problem } = approval;
  const deed = escaped(deedOf(record));
  const decliners = people(decision?.by ?? []);
  switch (notification.type) {
    case 'misplaced_vote':
      return misplacedText(deed, notification.stays, link);
    case 'approval_requested_again':
      return `${approversAddressed(policy)}: Somebody wants to send this request again, and it needs your approval (${tally(record, people)}). ${expiry(approval)}`;
    case 'reminder':
      return `${approversAddressed(policy)}: This request still needs approval (${tally(record, people)}). ${pauseNote(record)}${expiry(approval)}`;
    case 'reason_wanted':
      return `You declined “${deed}”. You can add a reason: ${whereReasonGoes(record)}`;
    case 'reason':
      return decision?.withheld
        ? `${mention(record.requester)}: ${decliners} added a reason for declining your request. ${withheldText(record, 'The reason')}`
        : `${mention(record.requester)}: ${decliners} added a reason for declining your request: “${escaped(decision?.reason ?? '')}”`;
    case 'admin_unreachable':
      return `${mention(record.requester)}: I could not reach the admin who chose the approvers of your request. ${problem ? troubleText(problem, record, policy) : ''} Tell an admin.`;
    case 'alarm':
      return `You chose the approvers of “${deed}”, requested by ${mention(record.requester)} in <#${record.channel}>. ${troubleText(notification.problem, record, policy)} ${expiry(approval)} To change who approves later requests, type \`${COMMANDS.countermand} settings\`.`;
  }
}

const pauseNote = ({ paused }: RequestRecord): string =>
  paused ? `${whoPaused(paused)}, so nobody can decide until an admin resumes it. ` : '';

function misplacedText(deed: string, stays: true | undefined, link: string | undefined): string {
  const [what, next] = stays
    ? ['was not counted', 'Please take it back and react again.']
    : ['is on the copy that does not count', 'Please vote on the other one.'];
  return `I posted the request “${deed}” twice by mistake, and your reaction ${what}. ${link ? `<${link}|${next}>` : next}`;
}

/** The same message after the reason was added, without the button. */
function reasonAddedMessage(record: RequestRecord): Message {
  const reason = escaped(record.approval?.decision?.reason ?? '');
  const text = `You declined “${escaped(deedOf(record))}” and added a reason: “${reason}”`;
  return messageOf(text);
}

function whereReasonGoes({ requester, inSharedChannel }: RequestRecord): string {
  return inSharedChannel
    ? `${mention(requester)} can read it, but the channel does not show it, because it is shared with another company.`
    : `I post it for ${mention(requester)} in the thread of the request.`;
}

/** Tells the requester why they see nothing of their request yet. */
function delayedText(record: RequestRecord): string {
  const what = `Your request “${escaped(deedOf(record))}” is delayed`;
  return record.card.delivery.status === 'doubtful'
    ? `${what}: Slack has not confirmed yet whether it is posted in <#${record.channel}>. Nothing is sent to the order service until that is clear. I keep checking.`
    : `${what}: Slack has not taken it for <#${record.channel}> yet. Nothing is sent to the order service until it is posted there. I keep trying.`;
}

/** Tells the requester that Slack has not shown for ten minutes whether a message was posted. */
function unclearText(record: RequestRecord, about: MessageKey): string {
  const what = `your request “${escaped(deedOf(record))}”`;
  const step = about.type === 'reply' ? record.steps.find(({ n }) => n === about.n) : undefined;
  const start = `Slack has not confirmed yet whether ${WHAT_IS_UNCLEAR[about.type]} ${what} was posted`;
  if (step) return `${start} in its thread. The reply says: ${sentence(record, step)}`;
  const nextStep =
    about.type === 'card'
      ? 'Nothing is sent to the order service until that is clear.'
      : 'The approvers may not have seen it yet.';
  return `${start} in <#${about.type === 'card' ? record.channel : record.approval?.policy.channel}>. ${nextStep} I keep checking. You can follow the request with \`${COMMANDS.countermand} status ${record.id}\`.`;
}

const WHAT_IS_UNCLEAR: Record<MessageKey['type'], string> = {
  card: 'the card of',
  approval_message: 'the message to the approvers about',
  reply: 'the latest reply to',
  notification: 'a message about',
};

/** Earlier replies stay: they are never changed. */
function sharedText({ requester, id, target, kind }: RequestRecord): string {
  return [
    `${mention(requester)}: This channel is now shared with another company. Your request about ${targetOf({ kind, target })} goes on, but its card no longer shows reasons:`,
    `people who may read them can type \`${COMMANDS.countermand} status ${id}\`. Replies that are already here do not change.`,
    'New requests can be posted here only if an admin allows shared channels in the settings.',
  ].join(' ');
}

function addReason(record: RequestRecord): types.ActionsBlock {
  return { type: 'actions', elements: [button(ACTIONS.addReason, 'Add a reason', { value: refOf(record) })] };
}
