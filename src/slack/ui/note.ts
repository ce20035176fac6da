/** What is told on the side: to approvers, to an admin, or in the thread. Pure. */
import type { types } from '@slack/bolt';
import type { Note } from '../../requests/notes.ts';
import type { RequestRecord } from '../../requests/record.ts';
import { ACTIONS, COMMANDS } from '../ids.ts';
import { approversText, tally, troubleText } from './approval-texts.ts';
import type { Message } from './card.ts';
import { LIMITS, truncate } from './limits.ts';
import { refOf } from './ref.ts';
import { escaped, mention, mentions, plain, section, time } from './text.ts';
import { deedOf } from './words.ts';

export function noteMessage(record: RequestRecord, note: Note): Message {
  const text = truncate(textOf(record, note), LIMITS.messageText);
  return { text, blocks: [section(text), ...(note.type === 'why' ? [sayWhy(record)] : [])] };
}

function textOf(record: RequestRecord, note: Note): string {
  const { approval } = record;
  if (!approval) return '';
  const { policy, since, decision, problem } = approval;
  const deed = escaped(deedOf(record));
  const deniers = mentions(decision?.by ?? []);
  switch (note.type) {
    case 'reminder':
      return `${approversText(policy)}: this still waits to be decided. ${tally(record)}. It lapses ${time(since + policy.lapseMs)}.`;
    case 'why':
      return `${deniers} You denied this. Would you say why? It goes to ${mention(record.asker)}, in the thread of the request.`;
    case 'reason':
      return `${mention(record.asker)} Why it was denied, in the words of ${deniers}: “${escaped(decision?.reason ?? '')}”`;
    case 'unheard':
      return `${mention(record.asker)} I could not reach the admin who set who approves this. ${problem ? troubleText(problem, policy) : ''} Tell an admin.`;
    case 'alarm':
      return `${deed}, asked by ${mention(record.asker)} in <#${record.channel}>. ${troubleText(note.problem, policy)} It lapses ${time(since + policy.lapseMs)}. You set its approvers: who approves later requests can be changed with \`${COMMANDS.countermand} settings\`.`;
  }
}

function sayWhy(record: RequestRecord): types.ActionsBlock {
  const text = plain('Say why', LIMITS.buttonText);
  const button: types.Button = { type: 'button', action_id: ACTIONS.sayWhy, text, value: refOf(record) };
  return { type: 'actions', elements: [button] };
}
