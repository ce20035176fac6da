/** Draws and reads the list of the history: its rows with their menus, and the buttons that turn its pages. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Cursor } from '../../../outbox/record-store.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { isRecorded } from '../../../requests/model/summary.ts';
import type { HistoryPage, Overdue } from '../../../requests/use-cases/history.ts';
import { ROW_ACTIONS, type Row, type RowAction } from '../../../requests/use-cases/possible-actions.ts';
import { option, text } from '../../blocks/fields.ts';
import {
  asJson,
  button,
  buttonRow,
  type FilledIn,
  form,
  type Ref,
  readRef,
  refOf,
} from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { context, countOf, LIMITS, mention, row, section, time } from '../../blocks/text.ts';
import type { Linking } from '../../client/links.ts';
import { label, recordedNote } from '../../messages/sentences/state-copy.ts';
import { ONLY_NEWEST, threadLink, titleOf } from '../../messages/sentences/summary.ts';
import { noRequestText } from '../status/text.ts';
import { Chosen, FIRST, filterBlocks, GROUPS, isFiltered, PageStart, readFilters } from './filters.ts';

export const HISTORY_TITLE = 'Requests';

const About = z.object({ chosen: Chosen, next: PageStart.optional() });

const FORM = form(
  CALLBACKS.history,
  {
    id: text('history_id', {
      label: 'Find by id',
      placeholder: 'Id of an order, an offer or a request',
      optional: true,
      max: LIMITS.searchText,
    }),
  },
  asJson(About, { chosen: FIRST }),
);

export function historyModal(
  page: Extract<HistoryPage, { type: 'page' }>,
  chosen: Chosen,
  linking: Linking,
): types.ModalView {
  const { rows, next, isCut, overdue } = page;
  const isById = chosen.id !== '';
  const blocks = [
    FORM.fields.id.block(chosen.id),
    ...(isById ? [] : filterBlocks(chosen, page)),
    ...(rows.length === 0 ? [section(noneText(chosen))] : rows.flatMap((each) => rowBlocks(each, linking))),
    ...turning(chosen, next),
    ...(isCut ? [context(ONLY_NEWEST)] : []),
    ...(isById ? [context('To use the filters again, empty the field and press Search.')] : []),
    ...(overdue && overdue.count > 0 && chosen.group !== 'unfinished' ? [context(overdueText(overdue))] : []),
  ];
  const buttons = { title: HISTORY_TITLE, submit: 'Search', close: 'Close' };
  return FORM.view({ ...buttons, blocks }, { chosen, ...(next && { next }) });
}

function noneText(chosen: Chosen): string {
  if (chosen.id !== '') return noRequestText(chosen.id);
  if (isFiltered(chosen) || chosen.before) return 'No requests match.';
  return 'No request is open. Choose *All requests* to see those that have ended.';
}

/** Tells admins of requests that are old enough to be removed, and are kept because something is still to be done. */
function overdueText({ count, more, days }: Overdue): string {
  const many = more ? `More than ${countOf(count, 'request')}` : countOf(count, 'request');
  const [are, them] = count === 1 && !more ? ['is', 'it'] : ['are', 'them'];
  return `:hourglass: ${many} from more than ${days === 1 ? 'a day' : `${days} days`} ago ${are} unfinished: still open, or with a message that could not be posted yet. Choose *${GROUPS.unfinished}* to see ${them}.`;
}

function turning(chosen: Chosen, next: Cursor | undefined): types.ActionsBlock[] {
  return buttonRow([
    ...(chosen.before ? [button(ACTIONS.historyNewest, 'Newest')] : []),
    ...(next ? [button(ACTIONS.historyOlder, 'Older')] : []),
    ...(isFiltered(chosen) ? [button(ACTIONS.historyClear, 'Clear the filters')] : []),
  ]);
}

/** Reads the page that a person sees, and where the next one begins. @throws if it is not this modal: a fault */
export function readList(view: FilledIn): { chosen: Chosen; next: Cursor | undefined } {
  const { values, about } = FORM.read(view);
  const shown = { ...about.chosen, id: values.id };
  return { chosen: readFilters(view.state.values, shown), next: about.next };
}

const MENU = ['details', ...ROW_ACTIONS] as const;
export type MenuChoice = (typeof MENU)[number];

export function rowBlocks({ record, actions }: Row, { linkTo, addresses }: Linking): types.KnownBlock[] {
  const state = `${label(record)}${recordedNote(record)}`;
  const made = `${mention(record.requester)}, ${time(record.createdAt)} · \`${record.id}\``;
  const line = `${titleOf(record, addresses)} · ${state}\n${made}${threadLink(linkTo(record))}`;
  return row(line, menu(record, actions), record.id);
}

/** The menu of a row. With one entry it is a button, because Slack has required two of a menu. */
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

/** Reads the value of a menu. Any value that the bot did not write is read as the details of a request that does not exist. */
export function readChoice(value: string): { choice: MenuChoice; ref: Ref } {
  const [name = '', ref = ''] = value.split(' ');
  return { choice: MENU.find((each) => each === name) ?? 'details', ref: readRef(ref) };
}
