/** The parts of cards, pages and lists that say what was requested: title, links, reason, requester, earlier requests. */
import type { types } from '@slack/bolt';
import type { EarlierRequest } from '../../../requests/model/approval.ts';
import { FORGOTTEN } from '../../../requests/model/audit-entry.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { ago, context, escaped, LIMITS, mention, time, truncate } from '../../blocks/text.ts';
import { capital, KIND_COPY, linksText, targetText } from './request-words.ts';
import { labelOf, recordedNoteOf } from './sentences.ts';

/** Quotes the reason, and says whose it is, in rich text, where nothing of it is taken for markup. */
export function quote({
  reason,
  requester,
}: Pick<RequestRecord, 'reason' | 'requester'>): types.RichTextBlock[] {
  if (!reason) return [];
  const text = truncate(reason, LIMITS.sectionText);
  return [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [...mentionElements(requester), { type: 'text', text: "'s reason:" }],
        },
        { type: 'rich_text_quote', elements: [{ type: 'text', text }] },
      ],
    },
  ];
}

/** The characters of a reason that a decided request still shows. */
const SHORT_REASON = 150;

/** Quotes the beginning of the reason, once nobody has to decide by it. */
export function shortQuote({
  reason,
  requester,
}: Pick<RequestRecord, 'reason' | 'requester'>): types.RichTextBlock[] {
  if (!reason) return [];
  const text = `'s reason: “${truncate(reason, SHORT_REASON)}”`;
  const elements = [...mentionElements(requester), { type: 'text' as const, text }];
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
}

const mentionElements = (user: string): types.RichTextElement[] => [
  user === FORGOTTEN ? { type: 'text', text: capital(mention(user)) } : { type: 'user', user_id: user },
];

/** The note in place of the reasons in a channel that is shared with another company. */
export function reasonsElsewhere({ id }: Pick<RequestRecord, 'id'>): string {
  return `This channel is shared with another company, so reasons are not shown here. People who may read them can type \`${COMMANDS.countermand} status ${id}\`.`;
}

/** "*Cancel order A-1*", escaped, with the id as a link where the workspace has an address for it. */
export const titleOf = (named: Pick<RequestRecord, 'kind' | 'target'>, addresses?: Addresses): string =>
  `*${KIND_COPY[named.kind].action} ${targetText(named, addresses)}*`;

/** The links to the order or offer and to the ticket, as lines. A channel that another company reads has none. */
export function linkLines(record: RequestRecord, addresses?: Addresses): string[] {
  const links = record.inSharedChannel ? '' : linksText(record, addresses);
  return links === '' ? [] : [links];
}

/** The end of a line: nothing where there is no link. */
export const threadLink = (link: string | undefined): string => (link ? ` · <${link}|Open the thread>` : '');

/** The last line of a list of the requests for one id, of which `findRequests` finds ten. */
export const ONLY_NEWEST = 'Only the newest ten are shown.';

/** The requester, where and when the request was made, and its id. */
export function requestedBy(record: RequestRecord, where = ''): string {
  const about = record.message ? ` · about <${record.message}|this message>` : '';
  return `Requested by ${mention(record.requester)}${where} · ${time(record.createdAt)}${about} · request \`${record.id}\``;
}

/** Lists earlier requests for the same order or offer: whoever decides should know of them. */
export function earlierRequests({ approval, target, kind }: RequestRecord): types.KnownBlock[] {
  const { earlier = [] } = approval ?? {};
  const lines = earlier.map((each) => earlierLine(each, target));
  return earlier.length > 0
    ? [context([`Earlier requests for this ${KIND_COPY[kind].noun}:`, ...lines].join('\n'))]
    : [];
}

/** One earlier request, with its id where that is spelled otherwise. @param here the id as the present request spells it */
function earlierLine(earlier: EarlierRequest, here: string): string {
  const { id, kind, target, requester, createdAt } = earlier;
  const spelled = target === here ? '' : ` ${escaped(target)}`;
  const how = `${labelOf(earlier)}${recordedNoteOf(earlier)}`;
  return `• ${KIND_COPY[kind].action}${spelled} · ${how} · ${mention(requester)}, ${ago(createdAt)} · \`${id}\``;
}
