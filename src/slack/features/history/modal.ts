/** The latest requests of a workspace, with filters. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../../json.ts';
import type { Cursor } from '../../../outbox/record-store.ts';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { STATE_NAMES } from '../../../requests/model/states.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import type { HistoryFilter, HistoryPage, Overdue } from '../../../requests/use-cases/history.ts';
import { chooser, option } from '../../blocks/fields.ts';
import { button, CLOSE, noticeModal } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { label, recordedNote, wordsOf } from '../../blocks/labels.ts';
import { personSentence } from '../../blocks/problems.ts';
import { targetText } from '../../blocks/target-text.ts';
import { context, LIMITS, mention, plain, section, sections, time, truncate } from '../../blocks/text.ts';

export const HISTORY_TITLE = 'Latest requests';

const FILTERS = 'history';
const ANY = 'any';
const OVERDUE = 'overdue';

export function historyModal(
  page: HistoryPage,
  filter: HistoryFilter,
  addresses?: Addresses,
): types.ModalView {
  if (page.type === 'not_allowed') return noticeModal(HISTORY_TITLE, personSentence(page.problem));
  const { records, next, overdue } = page;
  return {
    type: 'modal',
    private_metadata: next ? JSON.stringify(next) : '',
    title: plain(HISTORY_TITLE, LIMITS.modalTitle),
    close: CLOSE,
    blocks: [
      filters(filter, overdue),
      ...(overdue && overdue.count > 0 && !filter.overdue ? [section(overdueText(overdue))] : []),
      ...(records.length === 0
        ? [section(nothing(next))]
        : sections(records.map((record) => line(record, addresses)))),
      context('Type `/countermand status` and an id to see more of a request.'),
      turning(next),
    ],
  };
}

/** @param next where the search stopped; undefined: it has seen all requests */
function nothing(next: Cursor | undefined): string {
  if (!next) return 'No requests match.';
  return `No requests match as far back as ${time(next.at)}. Press Older to look further.`;
}

function line(record: RequestRecord, addresses: Addresses | undefined): string {
  const shown = truncate(record.target, LIMITS.optionText);
  const deed = `${KIND_COPY[record.kind].deed} ${targetText(record, addresses, shown)}`;
  return `\`${record.id}\` ${label(record)}${recordedNote(record)} · ${deed} · ${time(record.createdAt)} · ${mention(record.requester)}`;
}

/** Tells admins of requests that are old enough to be removed, and are kept because something is still to be done. */
function overdueText(overdue: Overdue): string {
  const { count, more } = overdue;
  const many = more
    ? `At least ${count} requests have`
    : count === 1
      ? '1 request has'
      : `${count} requests have`;
  return `:hourglass: ${many} been unfinished for more than ${overdue.days} days: still open, or with a message that could not be posted yet. Choose “${overdueOption(overdue)}” to see ${count === 1 && !more ? 'it' : 'them'}.`;
}

const overdueOption = ({ days }: Overdue): string => `Unfinished for more than ${days} days`;

function filters(
  { state, kind, requester, overdue: onlyOverdue }: HistoryFilter,
  overdue: Overdue | undefined,
): types.ActionsBlock {
  const states = STATE_NAMES.map((name) => option(name, wordsOf(name)));
  const kinds = KIND_NAMES.map((name) => option(name, KIND_COPY[name].deed));
  return {
    type: 'actions',
    block_id: FILTERS,
    elements: [
      chooser(ACTIONS.historyState, 'State', {
        options: [option(ANY, 'Any state'), ...states],
        value: state ?? ANY,
      }),
      chooser(ACTIONS.historyKind, 'Kind', {
        options: [option(ANY, 'Any kind'), ...kinds],
        value: kind ?? ANY,
      }),
      {
        type: 'users_select',
        action_id: ACTIONS.historyPerson,
        placeholder: plain('Anybody', LIMITS.placeholder),
        ...(requester ? { initial_user: requester } : {}),
      },
      ...(overdue
        ? [
            chooser(ACTIONS.historyAge, 'Age', {
              options: [option(ANY, 'Any age'), option(OVERDUE, overdueOption(overdue))],
              value: onlyOverdue ? OVERDUE : ANY,
            }),
          ]
        : []),
    ],
  };
}

function turning(next: Cursor | undefined): types.ActionsBlock {
  const newest = button(ACTIONS.historyNewest, 'Newest');
  const older = button(ACTIONS.historyOlder, 'Older');
  return { type: 'actions', elements: next ? [newest, older] : [newest] };
}

/** The start of the next page. */
const NEXT = z.object({ at: z.number(), id: z.string() });

/** The start of the next page; undefined if the metadata is not ours. */
export const readHistoryCursor = (metadata: string): Cursor | undefined =>
  NEXT.safeParse(parseJson(metadata)).data;

const Choice = z.object({ selected_option: z.object({ value: z.string() }).nullish() }).optional();

const State = z.object({
  [FILTERS]: z.object({
    [ACTIONS.historyState]: Choice,
    [ACTIONS.historyKind]: Choice,
    [ACTIONS.historyAge]: Choice,
    [ACTIONS.historyPerson]: z.object({ selected_user: z.string().nullish() }).optional(),
  }),
});

/** Reads the choice. @throws if the state is not that of this modal: a fault */
export function readHistoryFilter(values: unknown): HistoryFilter {
  const chosen = State.parse(values).history;
  const state = STATE_NAMES.find((name) => name === chosen.history_state?.selected_option?.value);
  const kind = KIND_NAMES.find((name) => name === chosen.history_kind?.selected_option?.value);
  const requester = chosen.history_person?.selected_user;
  const overdue = chosen.history_age?.selected_option?.value === OVERDUE;
  return {
    ...(state ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...(requester ? { requester } : {}),
    ...(overdue ? { overdue } : {}),
  };
}
