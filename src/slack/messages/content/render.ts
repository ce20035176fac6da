/**
 * Renders any message about a request, for its readers in this company or for those of another one: here the replies and the
 * notes, which go to its thread or to one person; in card.ts the card and the approval message.
 */
import { isRefused } from '../../../outbox/message.ts';
import type { Approval } from '../../../requests/model/approval.ts';
import { asChannelReads, asOthersRead } from '../../../requests/model/channels.ts';
import {
  currentStep,
  type Note,
  type RequestMessage,
  type RequestRecord,
  type Step,
  wantedAgainBy,
} from '../../../requests/model/record.ts';
import {
  cardOf,
  isCardGone,
  mayHaveFormerReactions,
  messageWithKey,
  replyOf,
  stepWithNumber,
  votedOn,
} from '../../../requests/model/record-messages.ts';
import { recipientOf } from '../../../requests/model/record-notes.ts';
import { isMistake } from '../../../requests/model/refusal.ts';
import { STATES } from '../../../requests/model/states.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { policyFor } from '../../../requests/use-cases/approvals/approvers.ts';
import { rolesFor } from '../../../requests/use-cases/who-may.ts';
import { buttonRow } from '../../blocks/forms.ts';
import { ACTIONS, COMMANDS } from '../../blocks/ids.ts';
import {
  escaped,
  inRichText,
  LIMITS,
  type Message,
  mention,
  mentions,
  type NamePeople,
  section,
  textMessage,
  truncate,
} from '../../blocks/text.ts';
import { approversAddressed, expiry, problemText, tally, troubleText } from '../sentences/approval-texts.ts';
import { PROBLEMS } from '../sentences/approvers-problems.ts';
import { whoPaused, withheldText } from '../sentences/problems.ts';
import {
  capital,
  plainTitleOf,
  SHARED,
  targetOf,
  titleInThread,
  titleOf,
} from '../sentences/request-words.ts';
import { directText, replyText, sentence } from '../sentences/sentences.ts';
import { EDIT } from '../sentences/service-texts.ts';
import { wants } from '../sentences/waiting-or-ended-texts.ts';
import { requestAgainButton, requestButton } from './buttons.ts';
import { approvalMessage, card } from './card.ts';

/**
 * `link`: to the card or, in a note about a vote, to the message on which votes count. `addresses`: none for another company.
 * `approvers`: mentions of those who can still vote, where the message asks them; '': there is nobody; undefined: all approvers
 * are addressed.
 */
type RenderContext = {
  link?: string | undefined;
  people?: NamePeople;
  addresses?: Addresses | undefined;
  approvers?: string | undefined;
};

export function render(record: RequestRecord, message: RequestMessage, context: RenderContext): Message {
  const { link, people, addresses, approvers } = context;
  switch (message.type) {
    case 'card':
      return card(record, addresses, approvers, people);
    case 'approval':
      return approvalMessage(record, link, { addresses, approvers, ...(people && { people }) });
    case 'reply':
      return reply(record, stepWithNumber(record, message.step), people);
    default:
      return noteMessage(record, message, context);
  }
}

/** The reply of a step: in the card's thread, to the requester alone or in the channel. */
export function reply(record: RequestRecord, step: Step, people: NamePeople = mentions): Message {
  const { to = 'thread', upkeep } = replyOf(record, step) ?? {};
  const text = to === 'requester' ? directText(record, step, people) : channelText(record, step, people, to);
  // Its next words may need rich text or not.
  const message = upkeep ? inRichText(textMessage(text)) : textMessage(text);
  const isCurrent = step.n === currentStep(record).n;
  const buttons = isMistake(record, step) && isCurrent ? requestAgainButton(record, EDIT) : [];
  return { ...message, blocks: [...message.blocks, ...buttonRow(buttons)] };
}

function channelText(
  record: RequestRecord,
  step: Step,
  people: NamePeople,
  place: 'thread' | 'channel',
): string {
  const shown = asChannelReads(record);
  return replyText(shown, shown.steps.find(({ n }) => n === step.n) ?? step, people, place);
}

/** Renders the text that takes the place of a second copy of a message. @param link to the message that stays */
export function copyMessage(link: string | undefined): Message {
  const there = link ? `<${link}|the other one>` : 'the other one';
  const text = `This message was posted twice by mistake. Please use ${there}: buttons and reactions count there.`;
  return textMessage(text);
}

/**
 * The record of a request as a message shows it to people of another company. The approval message stands in another channel
 * than the card, and the record does not know whether that channel is shared.
 */
export function forExternalUsers(record: RequestRecord, { type }: RequestMessage): RequestRecord {
  return type === 'approval' ? asOthersRead(record) : { ...record, inSharedChannel: true };
}

export function noteMessage(record: RequestRecord, note: Note, context: RenderContext = {}): Message {
  const { reason } = record.approval?.decision ?? {};
  if (note.type === 'reason_wanted' && reason)
    return textMessage(
      `You declined “${escaped(plainTitleOf(record))}” and added a reason: “${escaped(reason)}”`,
    );
  const textOf = NOTE_TEXTS[note.type] as NoteText<Note>;
  const shown = asChannelReads(record);
  const isInChannel = note.to === 'channel';
  const whole = isInChannel ? shown : record;
  const said = textOf(shown, note, { people: mentions, whole, ...context });
  const text = truncate(
    isInChannel ? `${capital(mention(recipientOf(record, note)))}: ${said}` : said,
    LIMITS.messageText,
  );
  const buttons =
    note.type === 'reason_wanted' ? [requestButton(record, ACTIONS.addReason, 'Add a reason')] : [];
  return { text, blocks: [section(text), ...buttonRow(buttons)] };
}

/** `whole`: the record with all reasons if one person alone reads the note, else as the channel reads it. */
type NoteContext = RenderContext & { people: NamePeople; whole: RequestRecord };
type NoteText<N> = (record: RequestRecord, note: N, context: NoteContext) => string;

const NOTE_TEXTS: { [N in Note as N['type']]: NoteText<N> } = {
  /** Tells the thread of a request that its channel was shared with another company. */
  shared(record) {
    const { requester, id, revision } = record;
    const { upkeep } = cardOf(record);
    const what = `${capital(mention(requester))}: This channel is now ${SHARED}. Your request about ${targetOf(record)} goes on`;
    const reasons =
      upkeep && isRefused(upkeep, revision)
        ? `. Slack does not let me change its card, which may still show reasons. I keep trying. An admin can delete the card.${howToStop(record)}`
        : `, but its card no longer shows reasons: people who may read them can type \`${COMMANDS.countermand} status ${id}\`.`;
    // Replies are never changed, except the one that is updated while the service keeps changing its answer.
    return `${what}${reasons} Replies that are already here do not change. New requests can be posted here only if an admin allows shared channels in the settings.`;
  },
  /** Tells the requester why they see nothing of their request yet. */
  card_delayed: (record) => {
    const what = `Your request “${escaped(plainTitleOf(record))}” is delayed`;
    return cardOf(record).delivery.status === 'doubtful'
      ? `${what}: Slack has not confirmed yet whether it is posted in <#${record.channel}>. Nothing is sent to the order service until that is clear. I keep checking.`
      : `${what}: Slack has not taken it for <#${record.channel}> yet. Nothing is sent to the order service until it is posted there. I keep trying.`;
  },
  unclear: (_, { about }, { whole, people }) => unclearText(whole, about, people),
  misplaced_vote: (record, { stays }, { link }) => {
    const [what, next] = stays
      ? ['was not counted', 'Please take it back and react again.']
      : ['is on the copy that does not count', 'Please vote on the other one.'];
    return `I posted the request “${escaped(plainTitleOf(record))}” twice by mistake, and your reaction ${what}. ${link ? `<${link}|${next}>` : next}`;
  },
  approval_requested_again: (record, _, { people, approvers, link }) => {
    const by = wantedAgainBy(record);
    // A mention would notify them of what they did themselves.
    const who = by === undefined ? 'Somebody' : people([by]);
    return `${toApprovers(record, approvers)}${who} ${wants(record, currentStep(record), 'this request')}, and it needs your approval (${tally(record, people)}). ${expiry(approvalOf(record))} ${whereToVote(record, link)}`;
  },
  reminder: (record, _, { people, approvers, link }) => {
    const { paused } = record;
    const approval = approvalOf(record);
    const { problem, policy } = approval;
    const trouble = problem ? `${problemText(problem, policy, record)} ` : '';
    const why = paused
      ? `${capital(whoPaused(paused))}, so nobody can decide until an admin resumes it. `
      : trouble;
    return `${toApprovers(record, approvers)}This request still needs approval (${tally(record, people)}). ${why}${expiry(approval)}${why === '' ? ` ${whereToVote(record, link)}` : ''}`;
  },
  reason_wanted: (record) => {
    const { requester, inSharedChannel } = record;
    const inThread = inSharedChannel
      ? `${mention(requester)} can read it, but the channel does not show it, because it is ${SHARED}.`
      : `I post it for ${mention(requester)} in the thread of the request.`;
    const where = isCardGone(record) ? `I send it to ${mention(requester)}.` : inThread;
    return `You declined “${escaped(plainTitleOf(record))}”. You can add a reason: ${where}`;
  },
  reason: (shown, { to }, { people, whole }) => {
    const isDirect = to === 'requester';
    const record = isDirect ? whole : shown;
    const { by = [], reason = '', withheld } = approvalOf(record).decision ?? {};
    const start = isDirect ? `${titleOf(record)}: ` : toRequester(record);
    const what = `${start}${people(by)} added a reason for declining your request`;
    return withheld ? `${what}. ${withheldText(record, 'The reason')}` : `${what}: “${escaped(reason)}”`;
  },
  admin_unreachable: (record) => {
    const { problem, policy } = approvalOf(record);
    return `${toRequester(record)}The person who chose the approvers of your request cannot be reached, or is no longer an admin. ${problem ? `${troubleText(problem, record, policy)} ` : ''}Tell an admin.`;
  },
  alarm: (record, { problem }) => {
    const approval = approvalOf(record);
    // Named people are copied into the request: nobody can be added to them.
    const isFixed = problem === 'too_few' && approval.policy.approvers.type === 'people';
    const help = isFixed ? undefined : PROBLEMS[problem].remedy;
    return `You chose the approvers of “${escaped(plainTitleOf(record))}”, requested by ${mention(record.requester)} in <#${record.channel}>. ${troubleText(problem, record, approval.policy)} ${expiry(approval)}${help ? ` ${help}` : ''} To change who approves later requests, type \`${COMMANDS.countermand} settings\`.`;
  },
};

/** Says how to stop a request whose card may be deleted: that alone does not keep it from being sent. */
function howToStop(record: RequestRecord): string {
  if (!STATES[record.state].beforeCall) return '';
  const who = rolesFor(record, 'withdraw').includes('requester') ? 'you or an admin' : 'an admin';
  return ` That may not stop the request: until it is sent, ${who} can withdraw it in \`${COMMANDS.countermand} history\`.`;
}

/** @throws if the request has no approval: a note about one exists only where a policy asks for it */
function approvalOf({ approval }: RequestRecord): Approval {
  if (!approval) throw new Error('A note is about an approval that its request does not have.');
  return approval;
}

/** The start of a note to the approvers, under the message that they react to. */
function toApprovers(record: RequestRecord, approvers: string | undefined): string {
  const who = approvers ?? approversAddressed(policyFor(record, approvalOf(record)));
  return `${who && `${who}: `}${votedOn(record).type === 'card' ? titleInThread(record) : ''}`;
}

/** Tells the approvers where to vote, because they may react to the note that they are reading. */
function whereToVote(record: RequestRecord, link: string | undefined): string {
  const message = 'the message that shows the request';
  const former = mayHaveFormerReactions(record) ? 'from before or ' : '';
  return `Vote on ${link ? `<${link}|${message}>` : message}: reactions ${former}to this one do not count.`;
}

/** The start of a note to the requester in the thread of the card. */
const toRequester = (record: RequestRecord): string =>
  `${capital(mention(record.requester))}: ${titleInThread(record)}`;

/** Tells the requester that Slack has not shown for ten minutes whether a message was posted. @param about its key */
function unclearText(record: RequestRecord, about: string, people: NamePeople): string {
  const what = `your request “${escaped(plainTitleOf(record))}”`;
  const message = messageWithKey(record, about);
  const start = 'Slack has not confirmed yet whether';
  if (message?.type === 'reply') {
    const where = {
      thread: `the latest reply to ${what} was posted in its thread`,
      requester: `a direct message about ${what} reached you`,
      channel: `a message about ${what} was posted in <#${record.channel}>`,
    };
    const says = sentence(record, stepWithNumber(record, message.step), people);
    return `${start} ${where[message.to ?? 'thread']}. The message says: ${says}`;
  }
  const isCard = message?.type === 'card';
  const nextStep = isCard
    ? 'Nothing is sent to the order service until that is clear.'
    : 'The approvers may not have seen it yet.';
  const which = isCard ? 'the card of' : 'the message to the approvers about';
  return `${start} ${which} ${what} was posted in <#${isCard ? record.channel : record.approval?.policy.channel}>. ${nextStep} I keep checking. You can follow the request with \`${COMMANDS.countermand} status ${record.id}\`.`;
}
