/** The request as the approvers see it in their channel: what they decide on, and how it stands. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { STATES } from '../../../requests/model/states.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { deedOf } from '../../blocks/kind-copy.ts';
import { label, recordedNote } from '../../blocks/labels.ts';
import { ago, context, escaped, LIMITS, type Message, plain, section, truncate } from '../../blocks/text.ts';
import { approversText, awaiting, decisionText, howToVote } from '../sentences/approval-texts.ts';
import { sentence } from '../sentences/sentences.ts';
import { earlierRequests, linkLines, quote, requestedBy } from '../sentences/summary.ts';
import { voteButtons } from './buttons.ts';

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
  const status = isOpen ? question(record, approvers) : sentence(record, currentStep(record));
  const decision = decisionText(record);
  const where = ` in <#${record.channel}>, ${ago(record.createdAt)}`;
  const thread = link ? [`<${link}|Open its thread>`] : [];
  return {
    text: truncate(`${escaped(deedOf(record))}: ${status}`, LIMITS.messageText),
    blocks: [
      { type: 'header', text: plain(deedOf(record), LIMITS.headerText) },
      section(`*${label(record)}*${recordedNote(record)}\n${status}`),
      ...quote(record.reason),
      context(
        [
          // The channel of the request may be shared, and this one is not.
          ...linkLines({ ...record, inSharedChannel: false }, addresses),
          requestedBy(record, where),
          ...(decision ? [decision] : []),
          ...thread,
        ].join('\n'),
      ),
      ...earlierRequests(record),
      ...voting(record),
    ],
  };
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
