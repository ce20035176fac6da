/** Reports the findings of a run. */
import { removedPosts } from './checks/posts.ts';
import type { Seen, Violation } from './checks/seen.ts';
import { isReply } from './observed/witness.ts';
import type { ChaosOptions } from './options.ts';

export type Report = {
  options: ChaosOptions;
  ms: number;
  submitted: number;
  /** Submissions that were rejected, since there was another request for the same. */
  rejected: number;
  faults: Record<string, number>;
  calls: number;
  cards: number;
  replies: number;
  removed: number;
  unknown: number;
  withdrawn: number;
  /** Outcomes that a person recorded. */
  recorded: number;
  resent: number;
  /** Calls of the workspace that has uninstalled the app. */
  callsOfUninstalled: number;
  violations: Violation[];
};

export function makeReport(
  { played, requests, calls, witness }: Seen,
  more: Pick<Report, 'options' | 'ms' | 'faults' | 'callsOfUninstalled' | 'violations'>,
): Report {
  const requesters = played.flatMap((each) => each.requesters);
  const standing = witness.all().filter(witness.stands);
  return {
    ...more,
    submitted: requesters.length,
    rejected: requesters.filter(({ result }) => result.type === 'rejected').length,
    calls: [...calls.values()].flat().length,
    cards: standing.filter(({ step }) => step === 'card').length,
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
  const { options, ms, submitted, rejected, faults, calls, cards, replies, removed, unknown, violations } =
    report;
  const without = options.without ? `, without ${options.without}` : '';
  const types = Object.entries(faults).sort(([, a], [, b]) => b - a);
  const rows: [string, number | string][] = [
    ['requests played', `${submitted}, of which ${rejected} were told of another one`],
    ['faults injected', faultsOf(report)],
    ...types.map(([type, count]): [string, number] => [`  ${type}`, count]),
    ['calls at the service', calls],
    ['cards', cards],
    ['replies in threads', replies],
    ['outcome left unknown', unknown],
    ['recorded by a person', report.recorded],
    ['sent again by a person', report.resent],
    ['withdrawn', report.withdrawn],
    ['calls of the workspace that left', report.callsOfUninstalled],
    ['copies removed, or made links', removed],
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
