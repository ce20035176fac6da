/** What somebody asked for, as everybody reads it who decides about it. Pure. */
import type { types } from '@slack/bolt';
import type { Earlier } from '../../../requests/model/approvals/approval.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { WORDS } from '../../blocks/kind-copy.ts';
import { labelOf, recordedNoteOf } from '../../blocks/labels.ts';
import { LIMITS, truncate } from '../../blocks/limits.ts';
import { ago, context, escaped, mention, time } from '../../blocks/text.ts';

/** What a person typed goes into rich text, where nothing of it is taken for markup. */
export function quote(reason: string): types.RichTextBlock[] {
  if (!reason) return [];
  const text = truncate(reason, LIMITS.sectionText);
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text }] }] }];
}

/** What stands in place of the reasons in a channel that is shared with another company. */
export function reasonsElsewhere({ id }: Pick<RequestRecord, 'id'>): string {
  return `This channel is shared with another company, so no reasons are shown here. Whoever may read them types \`${COMMANDS.countermand} status ${id}\`.`;
}

/** Who asked, where and when, and under which id. */
export function askedBy(record: RequestRecord, where = ''): string {
  return `Asked by ${mention(record.asker)}${where} · ${time(record.askedAt)} · request \`${record.id}\``;
}

/** Earlier requests for the same order or offer: whoever decides should know of them. */
export function earlierRequests({ approval, target }: RequestRecord): types.ContextBlock[] {
  const { earlier = [] } = approval ?? {};
  const lines = earlier.map((each) => line(each, target));
  return earlier.length > 0 ? [context(['Earlier requests for the same:', ...lines].join('\n'))] : [];
}

/** An id is named where it is spelled otherwise. */
function line(earlier: Earlier, here: string): string {
  const { id, kind, target, asker, askedAt } = earlier;
  const spelled = target === here ? '' : ` ${escaped(target)}`;
  const how = `${labelOf(earlier)}${recordedNoteOf(earlier)}`;
  return `• ${WORDS[kind].deed}${spelled} · ${how} · ${mention(asker)}, ${ago(askedAt)} · \`${id}\``;
}
