/** What is told on the side: to approvers, to an admin, or in the thread. Pure. */
import type { types } from '@slack/bolt';
import { asChannelReads } from '../../requests/model/facts/reasons.ts';
import type { Telling } from '../../requests/model/message-key.ts';
import type { Note } from '../../requests/model/notification.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import { ACTIONS, COMMANDS } from '../blocks/ids.ts';
import { deedOf, targetOf, withheldText } from '../blocks/kind-copy.ts';
import { LIMITS, truncate } from '../blocks/limits.ts';
import { refOf } from '../blocks/ref.ts';
import { escaped, mention, mentions, plain, section } from '../blocks/text.ts';
import type { Message } from './card.ts';
import { approversText, expiry, tally, troubleText } from './sentences/approval-texts.ts';
import { sentence } from './sentences/sentences.ts';

/** @param link to the message that counts, for whoever voted on another copy */
export function noteMessage(record: RequestRecord, note: Note, link?: string): Message {
  const said = textOf(record, note, link);
  const text = truncate(
    note.inChannel ? `${mention(personOf(record, note))} ${said}` : said,
    LIMITS.messageText,
  );
  const asksWhy = note.type === 'why' && !record.approval?.decision?.reason;
  return { text, blocks: [section(text), ...(asksWhy ? [sayWhy(record)] : [])] };
}

/** For whom a note is that stands in the channel because they take no direct messages. */
const personOf = ({ asker }: RequestRecord, note: Note): string =>
  note.type === 'misplaced_vote' ? note.voter : asker;

function textOf(whole: RequestRecord, note: Note, link: string | undefined): string {
  const record = asChannelReads(whole);
  if (note.type === 'shared') return sharedText(record);
  if (note.type === 'unclear') return unclearText(whole, note.about);
  const { approval } = record;
  if (!approval) return '';
  const { policy, decision, problem } = approval;
  const deed = escaped(deedOf(record));
  const deniers = mentions(decision?.by ?? []);
  switch (note.type) {
    case 'misplaced_vote':
      return misplacedText(deed, note.stays, link);
    case 'asked_again':
      return `${approversText(policy)} This request was sent again and needs your approval (${tally(record)}). ${expiry(approval)}`;
    case 'reminder':
      return `${approversText(policy)} This request still waits for approval (${tally(record)}). ${expiry(approval)}`;
    case 'why':
      return `You denied “${deed}”. You can add a reason. ${whereReasonGoes(record)}`;
    case 'reason':
      return decision?.withheld
        ? `${mention(record.asker)} ${deniers} said why it was denied. ${withheldText(record, 'The reason')}`
        : `${mention(record.asker)} Why it was denied, in the words of ${deniers}: “${escaped(decision?.reason ?? '')}”`;
    case 'unheard':
      return `${mention(record.asker)} I could not reach the admin who set who approves this. ${problem ? troubleText(problem, record, policy) : ''} Tell an admin.`;
    case 'alarm':
      return `${deed}, asked by ${mention(record.asker)} in <#${record.channel}>. ${troubleText(note.problem, record, policy)} ${expiry(approval)} You set its approvers: who approves later requests can be changed with \`${COMMANDS.countermand} settings\`.`;
  }
}

function misplacedText(deed: string, stays: true | undefined, link: string | undefined): string {
  const [what, next] = stays
    ? ['was not counted', 'Please take it back and react again.']
    : ['is on the copy that does not count', 'Please vote on the other one.'];
  return `The request “${deed}” was posted twice by mistake, and your reaction ${what}. ${link ? `<${link}|${next}>` : next}`;
}

/** The same message once the reason is given: there is nothing left to press. */
export function reasonAddedMessage(record: RequestRecord): Message {
  const reason = escaped(record.approval?.decision?.reason ?? '');
  const text = `You denied “${escaped(deedOf(record))}”, and added a reason: “${reason}”`;
  return { text, blocks: [section(text)] };
}

function whereReasonGoes({ asker, inSharedChannel }: RequestRecord): string {
  return inSharedChannel
    ? `${mention(asker)} can read it, and the channel, which is shared with another company, does not show it.`
    : `It goes to ${mention(asker)}, in the thread of the request.`;
}

/** To the requester alone: Slack has not shown for ten minutes whether a message was posted. */
function unclearText(record: RequestRecord, about: Telling): string {
  const what = `your request “${escaped(deedOf(record))}”`;
  const step = about.type === 'reply' ? record.steps.find(({ n }) => n === about.n) : undefined;
  const start = `Slack has not confirmed yet whether ${WHAT_IS_UNCLEAR[about.type]} ${what} was posted`;
  if (step) return `${start} in its thread. It says: ${sentence(record, step)}`;
  const nextStep =
    about.type === 'card'
      ? 'Nothing is sent to the order service before that is clear.'
      : 'The approvers may not have seen it yet.';
  return `${start} in <#${about.type === 'card' ? record.channel : record.approval?.policy.channel}>. ${nextStep} I keep looking. You can follow it with \`${COMMANDS.countermand} status ${record.id}\`.`;
}

const WHAT_IS_UNCLEAR: Record<Telling['type'], string> = {
  card: 'the card of',
  ballot: "the approvers' message about",
  reply: 'the latest reply to',
  note: 'a message about',
};

/** What was said before stays: it is never changed. */
function sharedText({ asker, id, target, kind }: RequestRecord): string {
  return [
    `${mention(asker)} This channel is shared with another company now. Your request about ${targetOf({ kind, target })} goes on, and its card shows no reasons any more:`,
    `they are for those who may read them, with \`${COMMANDS.countermand} status ${id}\`. Replies that stand here already are not changed.`,
    'Another request can be posted here only if the admins allow channels like this one in the settings.',
  ].join(' ');
}

function sayWhy(record: RequestRecord): types.ActionsBlock {
  const text = plain('Add a reason', LIMITS.buttonText);
  const button: types.Button = { type: 'button', action_id: ACTIONS.sayWhy, text, value: refOf(record) };
  return { type: 'actions', elements: [button] };
}
