/** The filters of the history: the choice of a person, how it is drawn, and how it is read from the list. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { RequestKind } from '../../../requests/model/kinds/request-kind.ts';
import { KINDS } from '../../../requests/model/kinds.ts';
import { groupsOf, HISTORY_GROUPS, type HistoryGroup } from '../../../requests/model/states.ts';
import type { HistoryPage } from '../../../requests/use-cases/history.ts';
import { calendar, chooser, option } from '../../blocks/fields.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { capital } from '../../blocks/kind-copy.ts';
import { context, either, escaped, LIMITS, plain } from '../../blocks/text.ts';

const ALL = 'all';

/** The days that a person can choose. `date`: any other day, in a calendar. */
const DAYS = { any: 'Any day', today: 'Today', yesterday: 'Yesterday', date: 'On a date…' } as const;
type DayChoice = keyof typeof DAYS;
const DAY_CHOICES = Object.keys(DAYS) as DayChoice[];

/** The request after which a page of the list begins. */
export const PageStart = z.object({ at: z.number(), id: z.string() });

/**
 * The choice of a person. `before`: the beginning of the page; undefined: with the newest request. `round`: how often they
 * have cleared the filters.
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

export const FIRST: Chosen = { id: '', group: 'open', day: 'any', round: 0 };

/** Slack keeps what was chosen in a block of the same id, and offers no way to choose nobody again: the id changes. */
export const cleared = ({ round }: Chosen): Chosen => ({ ...FIRST, round: round + 1 });

const blockId = (round: number) => `history:${round}`;

export const isFiltered = ({ id, group, day, requester }: Chosen): boolean =>
  id === '' && (group !== FIRST.group || day !== FIRST.day || requester !== undefined);

/** The outcomes of a group in the words of the kinds that have them: "cancelled". */
const outcomesIn = (group: HistoryGroup): string[] => {
  const isHere = (state: RequestKind['recordable'][number]) =>
    state !== 'in_review' && groupsOf(state).includes(group);
  const kinds = Object.values(KINDS).filter(({ recordable }) => recordable.some(isHere));
  return [...new Set(kinds.map(({ words }) => words.participle))];
};

export const GROUPS: Record<HistoryGroup, string> = {
  open: 'Open',
  unknown: 'Outcome unknown',
  canceled: capital(either(outcomesIn('canceled'))),
  sent: capital(either(outcomesIn('sent'))),
  refused: either(['Refused', ...outcomesIn('refused').map((participle) => `not ${participle}`), 'declined']),
  ended: 'Withdrawn, expired or closed',
  unfinished: 'Unfinished for long',
};

export function filterBlocks(
  { group, day, date, requester, round }: Chosen,
  { calendar: { zone, today }, overdue }: Extract<HistoryPage, { type: 'page' }>,
): types.KnownBlock[] {
  const groups = HISTORY_GROUPS.filter((name) => name !== 'unfinished' || overdue);
  const row: types.ActionsBlock = {
    type: 'actions',
    block_id: blockId(round),
    elements: [
      chooser(ACTIONS.historyGroup, 'State', {
        options: [...groups.map((name) => option(name, GROUPS[name])), option(ALL, 'All requests')],
        value: group,
      }),
      chooser(ACTIONS.historyDay, 'Day', {
        options: DAY_CHOICES.map((name) => option(name, DAYS[name])),
        value: day,
      }),
      ...(day === 'date' ? [calendar(ACTIONS.historyDate, 'Date', date ?? today)] : []),
      {
        type: 'users_select',
        action_id: ACTIONS.historyPerson,
        placeholder: plain('Anybody', LIMITS.placeholder),
        ...(requester ? { initial_user: requester } : {}),
      },
    ],
  };
  return day === 'any'
    ? [row]
    : [row, context(`A day begins at midnight in the time zone ${escaped(zone)}.`)];
}

const Choice = z.object({ selected_option: z.object({ value: z.string() }).nullish() }).optional();

const Filters = z
  .object({
    [ACTIONS.historyGroup]: Choice,
    [ACTIONS.historyDay]: Choice,
    [ACTIONS.historyDate]: z.object({ selected_date: z.iso.date().nullish() }).optional(),
    [ACTIONS.historyPerson]: z.object({ selected_user: z.string().nullish() }).optional(),
  })
  .optional();

/**
 * Reads the filters from the list.
 *
 * @param values of the view, as Slack gives them back
 * @param shown the choice that the list shows: filters that are not shown stay as they were
 * @throws if the view is not the list: a fault
 */
export function readFilters(values: unknown, shown: Chosen): Chosen {
  const filled = z
    .record(z.string(), z.unknown())
    .transform((all) => all[blockId(shown.round)])
    .pipe(Filters)
    .parse(values);
  const group = filled?.history_group?.selected_option?.value;
  const day = filled?.history_day?.selected_option?.value;
  const date = filled ? (filled.history_date?.selected_date ?? undefined) : shown.date;
  const requester = filled ? (filled.history_person?.selected_user ?? undefined) : shown.requester;
  return {
    id: shown.id,
    group: ([ALL, ...HISTORY_GROUPS] as const).find((name) => name === group) ?? shown.group,
    day: DAY_CHOICES.find((name) => name === day) ?? shown.day,
    ...(date === undefined ? {} : { date }),
    ...(requester === undefined ? {} : { requester }),
    ...(shown.before && { before: shown.before }),
    round: shown.round,
  };
}
