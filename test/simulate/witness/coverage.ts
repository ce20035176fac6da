/** Makes a table of the faults by the state of the request and the effect that they hit, which names impossible combinations. */
import { STATES } from '../../support/seen-requests.ts';
import type { Boundary } from '../draw/faults.ts';

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

type Claimed = { state: string; name: string };

/** @param effect undefined: work for a person or an event, without a claim */
export function cellOf(effect: Claimed | undefined, boundary: Boundary, fault: string): string {
  const { state, name } = effect ?? { state: '-', name: 'use case' };
  // Of two faults at once, the first counts; "+40" is a message that is 40 ms late.
  const kind = fault.replace(/,.*/, '').replace(/^\+/, 'late ').replace(/ \d+$/, '');
  const [first = ''] = effect ? name.split(' ', 1) : [name];
  return `${state} | ${first} | ${boundary === 'storage' ? `storage ${kind}` : kind}`;
}

/** Marks cells as impossible; `why` is printed below the table. */
type Rule = { why: string; holds: (state: string, effect: string, fault: string) => boolean };

const RULES: readonly Rule[] = [
  {
    why: 'A call is claimed together with the state calling.',
    holds: (state, effect) => effect === 'call' && state !== 'calling',
  },
  {
    why: 'While a call is claimed, nothing else is claimed for its request.',
    holds: (state, effect) => state === 'calling' && effect !== 'call',
  },
  {
    why: 'Votes are confirmed only in states in which approvers may vote.',
    holds: (state, effect) => effect === 'confirm_votes' && !STATES[state]?.votes,
  },
  {
    why: 'Only the answer to a call has the status of an order or offer.',
    holds: (_state, effect, fault) => /word|denied/.test(fault) && effect !== 'call',
  },
  {
    why: 'Only a post can appear late.',
    holds: (_state, effect, fault) => fault === 'hidden' && effect !== 'post',
  },
];

type Row = { state: string; effect: string };

const ROWS: readonly Row[] = [
  ...Object.keys(STATES).flatMap((state) => REQUEST_EFFECTS.map((effect) => ({ state, effect }))),
  ...['event', 'token_refused', 'policy_unmet'].flatMap((type) =>
    ['post', 'find'].map((effect) => ({ state: `notice ${type}`, effect })),
  ),
  { state: '-', effect: 'use case' },
];

/** @param coverage hits by cell (cellOf) */
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
