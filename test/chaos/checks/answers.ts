/** Promises 9 and 10: every command is answered, and no process ends by itself. */
import type { UnansweredCommand } from '../people/submit-request.ts';
import type { Gap } from '../processes/replica.ts';
import type { Seen, Violation } from './seen.ts';

export function checkAnswers({ harness, unanswered }: Seen): Violation[] {
  const gaps = harness.replicas.flatMap((replica) => replica.gaps());
  const unexplained = unanswered.filter((command) => !gaps.some((gap) => overlap(gap, command)));
  const ended = harness.replicas.flatMap((replica) => replica.unexpectedExits());
  return [
    ...unexplained.map(({ line }): Violation => {
      return { type: 'wrong', promise: 10, what: `neither a form nor a message came for ${line}` };
    }),
    ...ended.map((end): Violation => ({ type: 'wrong', promise: 10, what: `a bot ended by itself: ${end}` })),
  ];
}

/** A process that dies after it has acknowledged a command cannot answer any more. */
const overlap = (gap: Gap, { from, to }: UnansweredCommand) => gap.from <= to && gap.to >= from;
