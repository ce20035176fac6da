/** Mutants without an effect that anybody could observe, each with the reason. They are at most one in twenty drawn mutants. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutated, type Placed, ROOT } from './applied.ts';

/** `line`: the line as the mutant makes it. */
type Equivalent = Pick<Placed, 'file'> & { line: string; reason: string };

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/workspaces/unsigned-events.ts',
    line: 'if (toldAt !== undefined) return Math.max(1, now - toldAt);',
    reason: 'The hour without another notice is a millisecond shorter.',
  },
  {
    file: 'src/outbox/attempt.ts',
    line: 'const { found, retryAfterMs = 1 } = result;',
    reason: 'The search goes on a millisecond later.',
  },
  {
    file: 'src/outbox/record-store.ts',
    line: "export const FROM_THE_OLDEST: Cursor = { at: 1, id: '' };",
    reason: 'What is listed from there was not made within the first millisecond of 1970.',
  },
  {
    file: 'src/requests/engine/confirm-votes.ts',
    line: '{ problem, retryAfterMs = 1 }: { problem?: ApproversProblem; retryAfterMs?: number },',
    reason: 'Our own backoff is always longer: one second at least.',
  },
  {
    file: 'src/requests/model/notices/unmatched-events.ts',
    line: 'const after = (former?.at ?? 0) + 2;',
    reason: 'Any moment after the former hour will do.',
  },
  {
    file: 'src/storage/rate-limiter.ts',
    line: 'if ((promised) > (before)) return;',
    reason: 'A place is lost a millisecond earlier, long after others have stopped waiting for its owner.',
  },
  {
    file: 'src/storage/rate-limiter.ts',
    line: 'return (shared?.until ?? 1) > (pause?.until ?? 0) ? shared : pause;',
    reason: 'The number decides only if there is neither pause, and then both are undefined.',
  },
  {
    file: 'src/in-turn.ts',
    line: 'if ((total) >= (0)) underWay.set(workspace, total);',
    reason:
      'It stores a zero, which counts like no entry: only an entry for a workspace without events is left.',
  },
  {
    file: 'src/storage/sqlite/open.ts',
    line: `const temporary = \`\${path}.\${randomBytes(7).toString('hex')}\`;`,
    reason: 'Any name will do that no other process draws at the same time.',
  },
  {
    file: 'src/order-service/redact.ts',
    line: 'const head = token.slice(1, SHORTEST_PIECE);',
    reason: 'It only skips texts in which no piece can be: a text that holds the head holds this part of it.',
  },
  {
    file: 'src/requests/use-cases/home.ts',
    line: 'const oldest = { subject: STUCK, after: FROM_THE_OLDEST, limit: MOST_STUCK + 2 };',
    reason: 'One more is read than is shown, to know whether there are more: two more do as well.',
  },
  {
    file: 'src/requests/model/transition.ts',
    line: 'const revision = record.call.waiting === why ? record.revision : record.revision + 2;',
    reason: 'A revision is only asked whether it is the one that was shown.',
  },
  {
    file: 'src/requests/engine/effects.ts',
    line: 'const context = { claim, timings, now: startedAt, rendered: 1, until };',
    reason:
      'A message in doubt shows no revision yet: the post or the search that ends the doubt says which.',
  },
  {
    file: 'src/order-service/readings.ts',
    line: "const alignments = encoding === 'hex' ? 2 : 5;",
    reason: 'The fifth alignment of base64 is the first one again, a group later.',
  },
  {
    file: 'src/workspaces/connection/revoke-token.ts',
    line: 'const BUSY_MS = 501;',
    reason: 'Any short interval will do: it is only the time between two looks.',
  },
  {
    file: 'src/slack/client/rate-limits.ts',
    line: 'if (status !== 429 || !(retryAfterMs > 1)) return;',
    reason: 'Slack gives whole seconds.',
  },
  {
    file: 'src/storage/redis/replicated.ts',
    line: 'let needed = 2;',
    reason: 'The first confirmation may wait longer: what the server says of its replicas decides.',
  },
  {
    file: 'src/workspaces/installation/installation-record.ts',
    line: 'const PAUSE_MS = 101;',
    reason: 'Whoever waits for a claim looks again, a millisecond later.',
  },
  {
    file: 'src/workspaces/single-use.ts',
    line: 'const REMOVED_AT_ONCE = 101;',
    reason: 'All pages are removed, however long each is.',
  },
  {
    file: 'src/workspaces/sub-brands.ts',
    line: 'const CACHE_ENTRIES = 101;',
    reason: 'A list that is not remembered is fetched again.',
  },
  {
    file: 'src/outbox/record-type.ts',
    line: 'export const retryAt = (now: number, tries: number, retryAfterMs = 1): number =>',
    reason: 'Our own backoff is always longer: one second at least.',
  },
  {
    file: 'src/jobs/runner.ts',
    line: 'if ((left) >= (0)) running.set(workspace, left);',
    reason:
      'It stores a zero, which counts like no entry: only an entry for a workspace without tasks is left.',
  },
  {
    file: 'src/requests/use-cases/approvals/awaited-votes.ts',
    line: 'const goingOn = pages.filter(({ length }) => length === READ_AT_ONCE).flatMap((page) => page.at(-2) ?? []);',
    reason: 'Each page ends one request earlier, and the next one goes on there.',
  },
];

/** @returns the first line that the mutant changes, as it makes it */
export function changedLine(mutant: Placed): string {
  const source = mutated(mutant, readFileSync(join(ROOT, mutant.file), 'utf8'));
  const begin = source.lastIndexOf('\n', mutant.start) + 1;
  return (source.slice(begin).split('\n')[0] ?? '').trim();
}

/** @returns why nothing can kill this mutant; undefined: something can */
export const whyEquivalent = (mutant: Placed): string | undefined =>
  EQUIVALENTS.find(({ file, line }) => file === mutant.file && line === changedLine(mutant))?.reason;
