/** Which faults were met in which state of a request, in the middle of which effect; and which of them are impossible. */
import { STATE_NAMES, STATES, type State } from '../../../src/requests/model/states.ts';
import type { Place } from '../draw/fates.ts';

const STORAGE_FAULTS = [
  'crash before',
  'crash after',
  'freeze before',
  'freeze after',
  'refused',
  'lost',
  'answer lost',
  'answer late',
  'late',
] as const;

const NETWORK_FAULTS = [
  ...STORAGE_FAULTS,
  '429',
  '500',
  '500 after',
  'garbage after',
  'hidden',
  'odd word',
  'no word',
  'denied at once',
] as const;

const FAULTS: readonly string[] = [...NETWORK_FAULTS, ...STORAGE_FAULTS.map((fault) => `storage ${fault}`)];

const REQUEST_EFFECTS = ['post', 'find', 'update', 'tidy', 'confirm_votes', 'call'] as const;

type Claimed = { state: string; act: string };

/** @param effect undefined: what is done for a person or an event, under no claim */
export function cellOf(effect: Claimed | undefined, place: Place, fate: string): string {
  const { state, act } = effect ?? { state: '-', act: 'use case' };
  // Of two faults at once the first counts; "+40" is a message that is a little late.
  const kind = fate.replace(/,.*/, '').replace(/^\+/, 'late ').replace(/ \d+$/, '');
  const [name = ''] = effect ? act.split(' ', 1) : [act];
  return `${state} | ${name} | ${place === 'storage' ? `storage ${kind}` : kind}`;
}

/** A rule that makes cells impossible, with the reason that a reader is given. */
type Rule = { why: string; holds: (state: string, effect: string, fault: string) => boolean };

const RULES: readonly Rule[] = [
  {
    why: 'A call is claimed together with the state calling.',
    holds: (state, effect) => effect === 'call' && state !== 'calling',
  },
  {
    why: 'While the claim of a call stands, nothing else is claimed for its request.',
    holds: (state, effect) => state === 'calling' && effect !== 'call',
  },
  {
    why: 'Votes are confirmed only where approvers may vote.',
    holds: (state, effect) => effect === 'confirm_votes' && !STATES[state as State].votes,
  },
  {
    why: 'Only the answer to a call says how an order or offer stands.',
    holds: (_state, effect, fault) => /word|denied/.test(fault) && effect !== 'call',
  },
  {
    why: 'Only what was posted can be shown late.',
    holds: (_state, effect, fault) => fault === 'hidden' && effect !== 'post',
  },
];

type Row = { state: string; effect: string };

const ROWS: readonly Row[] = [
  ...STATE_NAMES.flatMap((state) => REQUEST_EFFECTS.map((effect) => ({ state, effect }))),
  ...['event', 'token_refused', 'policy_unmet'].flatMap((type) =>
    ['post', 'find'].map((effect) => ({ state: `notification ${type}`, effect })),
  ),
  { state: '-', effect: 'use case' },
];

/** @param coverage hits by the cells of cellOf */
export function coverageTable(coverage: ReadonlyMap<string, number>): string {
  const impossible = ({ state, effect }: Row, fault: string) =>
    RULES.find(({ holds }) => holds(state, effect, fault));
  const hitsOf = ({ state, effect }: Row, fault: string) =>
    coverage.get(`${state} | ${effect} | ${fault}`) ?? 0;
  const shown = (row: Row, fault: string) => hitsOf(row, fault) || (impossible(row, fault) ? '-' : 0);
  const lines = ROWS.map((row) => ({ row, cells: FAULTS.map((fault) => shown(row, fault)) }));
  const possible = lines.filter(({ cells }) => cells.some((cell) => cell !== '-'));
  const cells = lines.flatMap((line) => line.cells);
  const empty = possible.flatMap(({ row, cells: all }) =>
    all.flatMap((cell, n) => (cell === 0 ? [`${row.state} | ${row.effect} | ${FAULTS[n]}`] : [])),
  );
  return [
    `| state | effect | ${FAULTS.join(' | ')} |`,
    `|---|---|${FAULTS.map(() => '---:').join('|')}|`,
    ...possible.map(({ row, cells: all }) => `| ${row.state} | ${row.effect} | ${all.join(' | ')} |`),
    ...RULES.map(({ why }) => `-: ${why}`),
    ...empty.map((cell) => `empty: ${cell}`),
    `cells: ${cells.length}, impossible: ${cells.filter((cell) => cell === '-').length}`,
    `empty: ${empty.length}`,
  ].join('\n');
}
