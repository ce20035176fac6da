/** Draws and reads the list of the history: the filters, the rows with their menus, and the buttons that turn its pages. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Cursor } from '../../outbox/record-store.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import { HISTORY_GROUPS, type HistoryGroup } from '../../requests/model/states.ts';
import { type HistoryPage, ROW_ACTIONS, type Row, type RowAction } from '../../requests/use-cases/history.ts';
import { chooser, option, text } from '../blocks/fields.ts';
import { asJson, button, buttonRow, type FilledIn, form, type Ref, readRef, refOf } from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../blocks/ids.ts';
import { context, escaped, LIMITS, mention, plain, row, section, time } from '../blocks/text.ts';
import type { Linking } from '../client/links.ts';
import { PageStart } from '../listeners/listener.ts';
import { recordOutcomeText } from '../messages/content/buttons.ts';
import { ONLY_NEWEST, threadLink, titleOf } from '../messages/sentences/request-words.ts';
import { noRequestText } from '../messages/sentences/result-texts.ts';
import { label, recordedNote } from '../messages/sentences/sentences.ts';

const ALL = 'all';

/** The days that a person can choose. `date`: any other day, in a calendar. */
const DAYS = { any: 'Any day', today: 'Today', yesterday: 'Yesterday', date: 'On a date…' } as const;
const DAY_CHOICES = Object.keys(DAYS) as (keyof typeof DAYS)[];

/**
 * The choice of a person. `before`: where the page begins; undefined: with the newest request. `round`: how often they have
 * cleared the filters.
 */
export const Chosen = z.object({
  id: z.string(),
  group: z.enum([ALL, ...HISTORY_GROUPS]),
  day: z.enum(DAY_CHOICES),
  date: z.iso.date().optional(),
  requester: z.string().optional(),
  before: PageStart.optional(),
  round: z.number(),
});
export type Chosen = z.infer<typeof Chosen>;

export const UNFILTERED: Chosen = { id: '', group: 'open', day: 'any', round: 0 };

/**
 * The id of the block with the filters. Slack keeps the choices in a block of the same id, and offers no way to choose nobody
 * again: so the id changes when the filters are cleared.
 */
const blockId = (round: number) => `history:${round}`;

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
  asJson(z.object({ chosen: Chosen, next: PageStart.optional() }), { chosen: UNFILTERED }),
);

export const HISTORY_TITLE = 'Requests';

type Page = Extract<HistoryPage, { type: 'page' }>;

export function historyModal(page: Page, chosen: Chosen, linking: Linking): types.ModalView {
  const { rows, next, isCut } = page;
  const isById = chosen.id !== '';
  const blocks = [
    FORM.fields.id.block(chosen.id),
    ...(isById ? [] : filterBlocks(chosen, page)),
    ...(rows.length === 0 ? [section(noneText(chosen))] : rows.flatMap((each) => rowBlocks(each, linking))),
    ...pageButtons(chosen, next),
    ...(isCut ? [context(ONLY_NEWEST)] : []),
    ...(isById ? [context('To use the filters again, empty the field and press Search.')] : []),
  ];
  return FORM.view({ title: HISTORY_TITLE, submit: 'Search', blocks }, { chosen, ...(next && { next }) });
}

const GROUPS: Record<HistoryGroup, string> = {
  open: 'Open',
  unknown: 'Outcome unknown',
  canceled: 'Cancelled',
  sent: 'Sent',
  refused: 'Refused, declined, not received or not cancelled',
  ended: 'Withdrawn, expired, stopped or closed',
};

function filterBlocks(
  { group, day, date, requester, round }: Chosen,
  { calendar: { zone, today } }: Page,
): types.KnownBlock[] {
  const filters: types.ActionsBlock = {
    type: 'actions',
    block_id: blockId(round),
    elements: [
      chooser(ACTIONS.historyGroup, 'State', {
        options: [...HISTORY_GROUPS.map((name) => option(name, GROUPS[name])), option(ALL, 'All requests')],
        value: group,
      }),
      chooser(ACTIONS.historyDay, 'Day', {
        options: DAY_CHOICES.map((name) => option(name, DAYS[name])),
        value: day,
      }),
      ...(day === 'date' ? [calendarOn(date ?? today)] : []),
      {
        type: 'users_select',
        action_id: ACTIONS.historyPerson,
        placeholder: plain('Anybody', LIMITS.placeholder),
        ...(requester ? { initial_user: requester } : {}),
      },
    ],
  };
  const zoneText = `A day begins at midnight in the time zone ${escaped(zone)}.`;
  return [filters, ...(day === 'any' ? [] : [context(zoneText)])];
}

const calendarOn = (date: string): types.Datepicker => ({
  type: 'datepicker',
  action_id: ACTIONS.historyDate,
  placeholder: plain('Date', LIMITS.placeholder),
  initial_date: date,
});

const isFiltered = ({ id, group, day, requester }: Chosen): boolean =>
  id === '' && (group !== UNFILTERED.group || day !== UNFILTERED.day || requester !== undefined);

function noneText(chosen: Chosen): string {
  if (chosen.id !== '') return noRequestText(chosen.id);
  if (isFiltered(chosen) || chosen.before) return 'No requests match.';
  return 'No request is open. Choose *All requests* to see those that have ended.';
}

const pageButtons = (chosen: Chosen, next: Cursor | undefined): types.ActionsBlock[] =>
  buttonRow([
    ...(chosen.before ? [button(ACTIONS.historyNewest, 'Newest')] : []),
    ...(next ? [button(ACTIONS.historyOlder, 'Older')] : []),
    ...(isFiltered(chosen) ? [button(ACTIONS.historyClear, 'Clear the filters')] : []),
  ]);

const MENU = ['details', ...ROW_ACTIONS] as const;
export type MenuChoice = (typeof MENU)[number];

export function rowBlocks({ record, actions }: Row, { linkTo, addresses }: Linking): types.KnownBlock[] {
  const state = `${label(record)}${recordedNote(record)}`;
  const made = `${mention(record.requester)}, ${time(record.createdAt)} · \`${record.id}\``;
  const line = `${titleOf(record, addresses)} · ${state}\n${made}${threadLink(linkTo(record))}`;
  return row(line, rowMenu(record, actions), record.id);
}

/** The menu of a row, which may have one entry (https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element). */
export function rowMenu(record: RequestRecord, actions: readonly RowAction[]): types.Overflow {
  const ref = refOf(record);
  const names: Record<MenuChoice, string> = {
    details: 'Details',
    record: recordOutcomeText(record),
    withdraw: 'Withdraw',
    retry: 'Retry',
    request_again: 'Request again',
  };
  return {
    type: 'overflow',
    action_id: ACTIONS.historyMenu,
    options: (['details', ...actions] as const).map((choice) => option(`${choice} ${ref}`, names[choice])),
  };
}

/** Reads the value of a menu. Any value that the bot did not write is read as the details of a request that does not exist. */
export function readChoice(value: string): { choice: MenuChoice; ref: Ref } {
  const [name = '', ref = ''] = value.split(' ');
  return { choice: MENU.find((each) => each === name) ?? 'details', ref: readRef(ref) };
}

export const chosenOn = (metadata: string): Chosen => FORM.readAbout(metadata).chosen;

/**
 * Reads the page that a person sees, and where the next one begins. Slack also sends an id that was typed and not searched for
 * yet: it is left out, because the list does not show its result.
 */
export function readList({ private_metadata, state }: FilledIn): {
  chosen: Chosen;
  next: Cursor | undefined;
} {
  const { chosen, next } = FORM.readAbout(private_metadata);
  return { chosen: { ...chosen, ...readFilters(state.values, chosen) }, next };
}

/** Reads the search for an id from its submission. @throws if it is not this modal: a fault */
export const readSearch = (view: FilledIn): Chosen => ({
  ...readList(view).chosen,
  id: FORM.read(view).values.id,
});

const Choice = z.object({ selected_option: z.object({ value: z.string() }).nullish() }).optional();

const Filters = z
  .object({
    [ACTIONS.historyGroup]: Choice,
    [ACTIONS.historyDay]: Choice,
    [ACTIONS.historyDate]: z.object({ selected_date: z.iso.date().nullish() }).optional(),
    [ACTIONS.historyPerson]: z.object({ selected_user: z.string().nullish() }).optional(),
  })
  .optional();

/** @param shown the choice that the list shows: filters that are not shown stay as they were */
function readFilters(values: unknown, shown: Chosen): Pick<Chosen, 'group' | 'day' | 'date' | 'requester'> {
  const blocks = z.record(z.string(), z.unknown()).parse(values);
  const filled = Filters.parse(blocks[blockId(shown.round)]);
  if (!filled) return shown;
  const { group, day } = Chosen.shape;
  return {
    group: group.catch(shown.group).parse(filled.history_group?.selected_option?.value),
    day: day.catch(shown.day).parse(filled.history_day?.selected_option?.value),
    date: filled.history_date?.selected_date ?? undefined,
    requester: filled.history_person?.selected_user ?? undefined,
  };
}
