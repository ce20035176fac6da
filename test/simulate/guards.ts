/**
 * The guards that the bot lives by, each with the change of its source that removes it. Without one of them the
 * simulation must find violations: else it would find nothing by which to tell a bot that has lost it (`--without`).
 */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

type Mutant = { file: string; from: string; to: string };

export const GUARDS: Record<string, Mutant> = {
  claims: {
    file: 'requests/model/pending-effects.ts',
    from: "if (record.claim) return [{ act: { type: 'expire_claim' }, at: record.claim.expiresAt }];",
    to: '',
  },
  'read-back': {
    file: 'requests/model/delivery.ts',
    from: "return { status: 'doubtful', tries, since: startedAt, until, notBefore: now + doubtMs, ...owing };",
    to: "return { status: 'owed', tries, notBefore: now, ...owing };",
  },
  tidy: {
    file: 'requests/model/pending-effects.ts',
    from: 'if (isPending(delivery)) return [];',
    to: 'if (true) return [];',
  },
  deadline: {
    file: 'requests/engine/advance.ts',
    from: 'const inTime = () => deps.monotonic() - since <= timings.claimMs / 2;',
    to: 'const inTime = () => true;',
  },
  'search-window': {
    file: 'slack/client/find-message.ts',
    from: 'const AFTER_MS = 5 * 60_000;',
    to: 'const AFTER_MS = 0;',
  },
  'whole-search': {
    file: 'slack/client/find-message.ts',
    from: 'if (!cursor || isEnough(found)) return',
    to: 'if (true) return',
  },
  'in-doubt': {
    file: 'requests/engine/apply-call.ts',
    from: "    case 'no_answer':\n      return true;",
    to: "    case 'no_answer':\n      return false;",
  },
  'no-resend': {
    file: 'order-service/calls.ts',
    from: "return { type: 'no_answer', why: error.reason, ...status };",
    to: "return notReceived('unreachable');",
  },
  'claim-of-a-call': {
    file: 'requests/engine/apply-result.ts',
    from: "return settleCall(free, { type: 'no_answer', why: 'interrupted' }, claim.attempt, now);",
    to: "return settleCall(free, { type: 'not_received', why: 'interrupted' }, claim.attempt, now);",
  },
  'order-of-votes': {
    file: 'requests/model/approvals/votes.ts',
    from: 'if (moment <= last) return votes;\n  const next = { ...known, ...(added ? { addedAt: moment } : { removedAt: moment }) };',
    to: 'const next = { ...known, addedAt: added ? moment : 0, removedAt: added ? 0 : moment };',
  },
  'confirm-votes': {
    file: 'requests/model/approvals/votes.ts',
    from: 'isConfirmed: (vote: Vote) => boolean = () => false)',
    to: 'isConfirmed: (vote: Vote) => boolean = () => true)',
  },
  'reactions-as-they-stand': {
    file: 'requests/engine/confirm-votes.ts',
    from: 'const gone = reactions ? missing(approval.votes, reactions.standing) : [];',
    to: 'const gone: Vote[] = [];',
  },
  'rights-of-voters': {
    file: 'requests/engine/confirm-votes.ts',
    from: 'confirmed: standing.filter(({ by }) => !problems.has(by)), gone, problems };',
    to: 'confirmed: standing, gone, problems: new Map() };',
  },
  'own-request': {
    file: 'requests/use-cases/approvals/approvers.ts',
    from: "(hasAsked(record, by) ? 'own_request' : undefined)",
    to: 'undefined',
  },
  guests: {
    file: 'requests/use-cases/approvals/approvers.ts',
    from: 'personProblem(person) ??',
    to: 'undefined ??',
  },
  slot: { file: 'requests/store/entry.ts', from: 'slot: slotOf(record),', to: 'slot: undefined,' },
  'card-first': {
    file: 'requests/model/pending-effects.ts',
    from: "record.state === 'queued' && record.card.delivery.status === 'posted';",
    to: "record.state === 'queued';",
  },
  'generation-of-a-connection': {
    file: 'workspaces/connection/connection-health.ts',
    from: 'return data?.generation === generation ? data.at : undefined;',
    to: 'return data?.at;',
  },
  'times-of-events': {
    file: 'requests/model/events/apply-event.ts',
    from: "if (event.updatedAt < last.updatedAt) return 'stale';",
    to: "if (event.updatedAt < last.updatedAt) return 'newer';",
  },
  'events-during-a-call': {
    file: 'requests/model/events/apply-event.ts',
    from: "return { hearing: 'held', record: { ...record, held: [...record.held, event] } };",
    to: "return { hearing: 'held', record };",
  },
  'late-answers': {
    file: 'requests/engine/effects.ts',
    from: 'return { result, settle, settleLate: settle };',
    to: 'return { result, settle };',
  },
  'refusal-in-doubt': {
    file: 'requests/model/transition.ts',
    from: "trigger === 'refused' && mayHaveReceived(record) ? 'refused_in_doubt' : trigger",
    to: 'trigger',
  },
  'durable-events': {
    file: 'order-service/webhook/route.ts',
    from: 'await deps.record({ workspace, ...parsed })',
    to: "(void deps.record({ workspace, ...parsed }).catch(() => {}), { result: 'applied' as const, request: '' })",
  },
  'forgotten-settings': { file: 'compose/parts.ts', from: '      settings.forget,\n', to: '' },
  'lock-of-settings': {
    file: 'workspaces/settings.ts',
    from: 'return alone(workspace, async (lease) => {\n      const standing',
    to: 'return (async (act: (lease: { check(): void }) => Promise<T>) => act({ check() {} }))(async (lease) => {\n      const standing',
  },
  'end-of-a-lock': {
    file: 'storage/locks.ts',
    from: 'if (monotonic() - since >= heldMs)',
    to: 'if (false)',
  },
  'sealed-tokens': {
    file: 'workspaces/cipher.ts',
    from: "return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url')].join('.');",
    to: "return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url'), secret].join('.');",
  },
  'copies-left-by-a-tidy': {
    file: 'slack/messages/tidy/tidy-messages.ts',
    from: 'const isNeeded = done.left.length > 0 && kept?.channel === channel;',
    to: 'const isNeeded = false;',
  },
  sweep: { file: 'jobs/sweep.ts', from: 'trigger(ref);', to: 'void ref;' },
};

const SRC = new URL('../../src/', import.meta.url);

/** @returns the source without the guard @throws where it has changed, and this table must follow */
export function without({ file, from, to }: Mutant, source: string): string {
  if (source.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
  return source.replace(from, () => to);
}

/** Modules that are loaded from now on lack the guard. @throws where there is no such guard */
export function removeGuard(name: string): void {
  const mutant = GUARDS[name];
  if (!mutant) throw new Error(`There is no guard "${name}". There are: ${Object.keys(GUARDS).join(', ')}.`);
  const target = fileURLToPath(new URL(mutant.file, SRC));
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith('file:') || fileURLToPath(url) !== target) return loaded;
      return { ...loaded, source: without(mutant, String(loaded.source)) };
    },
  });
}
