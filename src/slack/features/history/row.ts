/** A request in the history: a line, a link to its thread, and a menu of what its reader may do. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { isRecorded } from '../../../requests/model/summary.ts';
import { ROW_ACTIONS, type Row, type RowAction } from '../../../requests/use-cases/possible-actions.ts';
import { option } from '../../blocks/fields.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { label, recordedNote } from '../../blocks/labels.ts';
import { type Ref, readRef, refOf } from '../../blocks/ref.ts';
import { mention, row, time } from '../../blocks/text.ts';
import { threadLink, titleOf } from '../../messages/sentences/summary.ts';
import type { Linking } from '../card-links.ts';

const MENU = ['details', ...ROW_ACTIONS] as const;
export type MenuChoice = (typeof MENU)[number];

export function rowBlocks({ record, actions }: Row, { linkTo, addresses }: Linking): types.KnownBlock[] {
  const state = `${label(record)}${recordedNote(record)}`;
  const made = `${mention(record.requester)}, ${time(record.createdAt)} · \`${record.id}\``;
  const line = `${titleOf(record, addresses)} · ${state}\n${made}${threadLink(linkTo(record))}`;
  return row(line, menu(record, actions), record.id);
}

/** A menu of one entry is a button: Slack has asked for two at least. */
function menu(record: RequestRecord, actions: readonly RowAction[]): types.Button | types.Overflow {
  const ref = refOf(record);
  if (actions.length === 0)
    return button(ACTIONS.historyDetails, 'Details', {
      value: ref,
      spoken: `Details of request ${record.id}`,
    });
  const choices = ['details' as const, ...actions];
  return {
    type: 'overflow',
    action_id: ACTIONS.historyMenu,
    options: choices.map((choice) => option(`${choice} ${ref}`, nameOf(record, choice))),
  };
}

function nameOf(record: RequestRecord, choice: MenuChoice): string {
  const corrects = isRecorded(currentStep(record));
  const names: Record<MenuChoice, string> = {
    details: 'Details',
    record: corrects ? 'Correct the outcome' : 'Record the outcome',
    retry: 'Retry',
    request_again: 'Request again',
  };
  return names[choice];
}

/** @param value that the bot wrote into the menu; whatever is not ours shows details of nothing that exists */
export function readChoice(value: string): { choice: MenuChoice; ref: Ref } {
  const [name = '', ref = ''] = value.split(' ');
  return { choice: MENU.find((each) => each === name) ?? 'details', ref: readRef(ref) };
}
