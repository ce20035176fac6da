/** Renders any message about a request, for its readers in this company or for those of another one. */
import { asChannelReads, holdsOtherReasons, withoutReasons } from '../../../requests/model/channels.ts';
import type { RequestMessage } from '../../../requests/model/message.ts';
import { currentStep, type RequestRecord, type Step } from '../../../requests/model/record.ts';
import { replyOf, stepNamed } from '../../../requests/model/record-messages.ts';
import { isMistake } from '../../../requests/model/refusal.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { buttonRow } from '../../blocks/forms.ts';
import { linksText } from '../../blocks/kind-copy.ts';
import { type Message, mentions, type NamePeople, textMessage } from '../../blocks/text.ts';
import { directText, replyText } from '../sentences/sentences.ts';
import { requestAgainButton } from './buttons.ts';
import { approvalMessage, card } from './card.ts';
import { noteMessage } from './note.ts';

/**
 * `link`: to the card or to the message that counts, where the message has one. `addresses`: none for another company.
 * `approvers`: mentions of those who can still vote, where the message asks them.
 */
type RenderContext = {
  link: string | undefined;
  people: NamePeople;
  addresses?: Addresses | undefined;
  approvers?: string | undefined;
};

export function render(
  record: RequestRecord,
  message: RequestMessage,
  { link, people, addresses, approvers }: RenderContext,
): Message {
  switch (message.type) {
    case 'card':
      return card(record, addresses, approvers);
    case 'approval':
      return approvalMessage(record, link, { addresses, approvers });
    case 'reply':
      return reply(record, stepNamed(record, message.step), people);
    default:
      return noteMessage(record, message, { link, people, approvers });
  }
}

const EDIT = 'Edit and send again';

/** The reply of a step, in the card's thread or to the requester alone. */
export function reply(record: RequestRecord, step: Step, people: NamePeople = mentions): Message {
  const message = textMessage(
    replyOf(record, step)?.to === 'requester'
      ? directText(record, step, people)
      : threadText(record, step, people),
  );
  const isCurrent = step.n === currentStep(record).n;
  const buttons = isMistake(record, step) && isCurrent ? requestAgainButton(record, EDIT) : [];
  return { ...message, blocks: [...message.blocks, ...buttonRow(buttons)] };
}

function threadText(record: RequestRecord, step: Step, people: NamePeople): string {
  const shown = asChannelReads(record);
  return replyText(shown, shown.steps.find(({ n }) => n === step.n) ?? step, people);
}

/** Renders the text that takes the place of a second copy of a message. @param link to the message that stays */
export function copyMessage(link: string | undefined): Message {
  const there = link ? `<${link}|the other one>` : 'the other one';
  const text = `This message was posted twice by mistake. Please use ${there}: buttons and reactions count there.`;
  return textMessage(text);
}

/**
 * Whether a message may read otherwise for people of another company than the record says. Only the card and the
 * approval message quote the reason for the request itself and link it, and only the form for a reason says where it is
 * posted.
 */
export function dependsOnReaders(
  record: RequestRecord,
  { type }: RequestMessage,
  addresses?: Addresses,
): boolean {
  const { inSharedChannel, reason } = record;
  switch (type) {
    case 'card':
      return !inSharedChannel;
    case 'approval':
      return reason !== '' || holdsOtherReasons(record) || linksText(record, addresses) !== '';
    case 'reply':
      return !inSharedChannel && holdsOtherReasons(record);
    default:
      return !inSharedChannel && (type === 'reason_wanted' || holdsOtherReasons(record));
  }
}

/**
 * The record of a request as a message shows it to people of another company. The approval message stands in another channel
 * than the card, and the record does not know whether that channel is shared.
 */
export function forExternalUsers(record: RequestRecord, { type }: RequestMessage): RequestRecord {
  return type === 'approval' ? withoutReasons(record) : { ...record, inSharedChannel: true };
}
