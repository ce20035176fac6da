/** The request as the approvers see it in their channel: what they decide on, and how it stands. */
import type { types } from '@slack/bolt';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { STATES } from '../../../requests/model/states.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { deedOf } from '../../blocks/kind-copy.ts';
import { context, escaped, LIMITS, type Message, mentions, section, truncate } from '../../blocks/text.ts';
import { approversText, awaiting, howToVote } from '../sentences/approval-texts.ts';
import { happened } from '../sentences/sentences.ts';
import { earlierRequests, linkLines, quote, shortQuote } from '../sentences/summary.ts';
import { voteButtons } from './buttons.ts';
import { footer, heading, headingOf } from './heading.ts';

/**
 * @param link to the card, in the channel of the request; undefined if Slack did not give it
 * @param shown `addresses`: what admins have set; none where people of another company read. `approvers`: mentions of those who
 * can vote; undefined: their group, or a name for all of them
 */
export function approvalMessage(
  record: RequestRecord,
  link: string | undefined,
  { addresses, approvers }: { addresses?: Addresses | undefined; approvers?: string | undefined } = {},
): Message {
  const isOpen = STATES[record.state].votes;
  // Once it is decided, what to do next stands on the card: this message has no button for it.
  const said = isOpen ? question(record, approvers) : happened(record);
  const lines = [headingOf(record), declineReason(record)].filter((each) => each !== undefined);
  const who = [
    // The channel of the request may be shared, and this one is not.
    ...linkLines({ ...record, inSharedChannel: false }, addresses),
    footer(record, ` in <#${record.channel}>`),
    ...(link ? [`<${link}|Open its thread>`] : []),
  ];
  return {
    text: truncate(`${escaped(deedOf(record))}: ${said}`, LIMITS.messageText),
    blocks: [
      ...(isOpen ? [...heading(record), section(said)] : [section(lines.join('\n'))]),
      ...(isOpen ? quote(record) : shortQuote(record)),
      context(who.join('\n')),
      ...(isOpen ? earlierRequests(record) : []),
      ...voting(record),
    ],
  };
}

/** This message has no thread that would tell it. */
function declineReason({ approval }: RequestRecord): string | undefined {
  const { by = [], reason } = approval?.decision ?? {};
  return reason && `${mentions(by)}'s reason: “${escaped(reason)}”`;
}

/** Asks for approval. Members of the approvals channel need no name of that channel. */
function question(record: RequestRecord, approvers: string | undefined): string {
  const { policy } = record.approval ?? {};
  if (!policy) return '';
  const all = policy.approvers.type === 'channel' ? 'the members of this channel' : approversText(policy);
  return awaiting(record, approvers ?? all);
}

function voting(record: RequestRecord): types.KnownBlock[] {
  const { approval, state } = record;
  if (!STATES[state].votes || !approval) return [];
  return [context(howToVote(approval)), { type: 'actions', elements: voteButtons(record) }];
}
