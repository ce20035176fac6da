/** Promises 9 and 10: a person is never left without a word, and no process ends by itself. */
import type { Silence } from '../people/ask.ts';
import type { Gap } from '../processes/replica.ts';
import type { Seen, Violation } from './check.ts';

export function checkAnswers({ harness, silences }: Seen): Violation[] {
  const gaps = harness.replicas.flatMap((replica) => replica.gaps());
  const unexplained = silences.filter((silence) => !gaps.some((gap) => overlap(gap, silence)));
  const ended = harness.replicas.flatMap((replica) => replica.endedByItself());
  return [
    ...unexplained.map(({ line }): Violation => {
      return { type: 'wrong', promise: 10, what: `no form and no word came for ${line}` };
    }),
    ...ended.map((end): Violation => ({ type: 'wrong', promise: 10, what: `a bot ended by itself: ${end}` })),
  ];
}

/** A process that dies after it has acknowledged a command can't say anything more. */
const overlap = (gap: Gap, { from, to }: Silence) => gap.from <= to && gap.to >= from;
