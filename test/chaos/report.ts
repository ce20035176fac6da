/** Reports the findings of a run. */
import type { Seen, Violation } from './checks/check.ts';
import { removedPosts } from './checks/posts.ts';
import { isReply } from './checks/witness.ts';
import type { ChaosOptions } from './options.ts';

export type Report = {
  options: ChaosOptions;
  ms: number;
  asked: number;
  told: number;
  faults: Record<string, number>;
  calls: number;
  cards: number;
  replies: number;
  removed: number;
  unknown: number;
  withdrawn: number;
  /** By a person. */
  recorded: number;
  resent: number;
  /** Calls of the workspace that has uninstalled the app. */
  ofLeaving: number;
  violations: Violation[];
};

export function makeReport(
  { played, requests, calls, witness }: Seen,
  more: Pick<Report, 'options' | 'ms' | 'faults' | 'ofLeaving' | 'violations'>,
): Report {
  const requesters = played.flatMap((each) => each.requesters);
  const standing = witness.all().filter(witness.stands);
  return {
    ...more,
    asked: requesters.length,
    told: requesters.filter(({ asked }) => asked.type === 'told').length,
    calls: [...calls.values()].flat().length,
    cards: standing.filter(({ step }) => step === '0').length,
    replies: standing.filter(isReply).length,
    removed: removedPosts(witness).length,
    unknown: requests.filter(({ state }) => state === 'unknown').length,
    withdrawn: requests.filter(({ state }) => state === 'withdrawn').length,
    recorded: requests.filter(({ sentence }) => sentence.includes('recorded it')).length,
    resent: played.flatMap((each) => each.resent).length,
  };
}

export const countOf = ({ violations }: Report, type: Violation['type']): number =>
  violations.filter((violation) => violation.type === type).length;

export const faultsOf = ({ faults }: Report): number =>
  Object.values(faults).reduce((sum, count) => sum + count, 0);

const MOST_SHOWN = 30;

export function describeReport(report: Report): string {
  const { options, ms, asked, told, faults, calls, cards, replies, removed, unknown, violations } = report;
  const without = options.without ? `, without ${options.without}` : '';
  const sorts = Object.entries(faults).sort(([, a], [, b]) => b - a);
  const rows: [string, number | string][] = [
    ['requests played', `${asked}, of which ${told} were told of another one`],
    ['faults injected', faultsOf(report)],
    ...sorts.map(([sort, count]): [string, number] => [`  ${sort}`, count]),
    ['calls at the service', calls],
    ['cards', cards],
    ['replies in threads', replies],
    ['outcome left unknown', unknown],
    ['recorded by a person', report.recorded],
    ['sent again by a person', report.resent],
    ['withdrawn', report.withdrawn],
    ['calls of the workspace that left', report.ofLeaving],
    ['copies of messages removed', removed],
    ['lost', countOf(report, 'lost')],
    ['doubled', countOf(report, 'doubled')],
    ['otherwise wrong', countOf(report, 'wrong')],
  ];
  const title = `Seed ${options.seed} over ${options.storage} and ${options.transport}${without}, in ${Math.round(ms / 1_000)} s`;
  const found = violations.slice(0, MOST_SHOWN).map(({ type, promise, what }) => {
    return `- ${type} (promise ${promise}): ${what}`;
  });
  const more = violations.length > MOST_SHOWN ? [`… and ${violations.length - MOST_SHOWN} more`] : [];
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(38)}${value}`), ...found, ...more].join(
    '\n',
  );
}
