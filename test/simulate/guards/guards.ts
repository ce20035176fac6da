/**
 * Mutants of the bot: each removes one guard by a change of the source. The simulation must find violations in a mutant
 * (`--without`); otherwise it could not detect that the guard is lost.
 */
export type Mutant = { file: string; from: string; to: string };

export const GUARDS: Record<string, Mutant> = {
  claims: {
    file: 'requests/model/pending-effects.ts',
    from: "if (record.claim) return [{ effect: { type: 'expire_claim' }, at: record.claim.expiresAt }];",
    to: '',
  },
  'read-back': {
    file: 'requests/model/messages/attempt.ts',
    from: "return { status: 'doubtful', tries, ...possible, notBefore: now + doubtMs, ...owing };",
    to: "return { status: 'owed', tries, notBefore: now, ...owing };",
  },
  tidy: {
    file: 'requests/model/message-effects.ts',
    from: 'return delivery && !isUnsettled(record, messageKey, delivery) ?',
    to: 'return delivery && false ?',
  },
  deadline: {
    file: 'requests/engine/advance.ts',
    from: 'const inTime = () => deps.monotonic() - since <= timings.claimMs / 2;',
    to: 'const inTime = () => true;',
  },
  'late-update': {
    file: 'requests/engine/apply-update.ts',
    from: 'return withMessage(\n        refreshedAfter(updatedLater(message, context.now), context.now + context.timings.appearMs),\n      );',
    to: 'return withMessage(updatedLater(message, context.now));',
  },
  'own-limits': {
    file: 'storage/rate-limiter.ts',
    from: 'function stateOf(workspace: string, name: string): State {',
    to: "function stateOf(_own: string, name: string): State {\n    const workspace = '';",
  },
  'late-listing': {
    file: 'requests/model/messages/attempt.ts',
    from: 'notBefore: Math.max(tidy.notBefore, until)',
    to: 'notBefore: tidy.notBefore',
  },
  'deadline-of-a-call': {
    file: 'order-service/calls.ts',
    from: 'await call(record, token, guard)',
    to: 'await call(record, token, { inTime: () => true, isHeld: async () => true })',
  },
  'search-window': {
    file: 'slack/messages/duplicates/find-message.ts',
    from: 'const AFTER_MS = 5 * 60_000;',
    to: 'const AFTER_MS = 0;',
  },
  'whole-search': {
    file: 'slack/messages/duplicates/find-message.ts',
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
    file: 'requests/engine/effects.ts',
    from: "return applyCallResult(free, { type: 'no_answer', why: 'interrupted' }, claim.attempt, now);",
    to: "return applyCallResult(free, { type: 'not_received', why: 'interrupted' }, claim.attempt, now);",
  },
  'order-of-votes': {
    file: 'requests/model/approvals/votes.ts',
    from: 'if (moment <= last) return votes;\n  const next = { ...known, ...(added ? { addedAt: moment } : { removedAt: moment }) };',
    to: 'const next = { ...known, addedAt: added ? moment : 0, removedAt: added ? 0 : moment };',
  },
  'standing-votes': {
    file: 'requests/model/approvals/votes.ts',
    from: 'if (standing.length < quorum) return',
    to: 'if (standing.length <= quorum) return',
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
  'late-confirmation': {
    file: 'requests/engine/effects.ts',
    from: 'now < claim.expiresAt ? ',
    to: 'true ? ',
  },
  'clock-of-rights': {
    file: 'compose/slack.ts',
    from: 'createDirectory(clients, runtime.monotonic, log)',
    to: 'createDirectory(clients, runtime.now, log)',
  },
  'age-of-a-list': {
    file: 'slack/directory/group-members.ts',
    from: 'const ttl = REMEMBERED_MS - (now() - askedAt);',
    to: 'const ttl = REMEMBERED_MS;',
  },
  'own-request': {
    file: 'requests/use-cases/approvals/approvers.ts',
    from: "(hasRequested(record, by) ? 'own_request' : undefined)",
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
    from: "mayBegin && record.card.delivery.status === 'posted'",
    to: 'mayBegin',
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
  'earlier-denial': {
    file: 'requests/engine/apply-call.ts',
    from: '!isUndone ||\n    callsAfter',
    to: 'true ||\n    callsAfter',
  },
  'events-before-a-call': {
    file: 'requests/model/events/apply-event.ts',
    from: ' || isBeforeCall(record, event)',
    to: '',
  },
  'events-before-a-doubt': {
    file: 'requests/model/events/apply-event.ts',
    from: 'return isLastCallInDoubt(record) && isAboutEarlierCall(record, event) && !saysCanceled(event);',
    to: 'return false;',
  },
  'cancellation-before-a-doubt': {
    file: 'requests/model/events/apply-event.ts',
    from: ' && !saysCanceled(event)',
    to: '',
  },
  'events-after-a-doubt': {
    file: 'requests/model/events/apply-event.ts',
    from: 'record: applyAll(moved, moved.bufferedEvents, now) }',
    to: 'record: moved }',
  },
  'events-during-a-call': {
    file: 'requests/model/events/apply-event.ts',
    from: "return { result: 'buffered', record: { ...record, bufferedEvents: [...record.bufferedEvents, event] } };",
    to: "return { result: 'buffered', record };",
  },
  'late-answers': {
    file: 'requests/engine/effects.ts',
    from: 'return { result, apply, applyLate: apply };',
    to: 'return { result, apply };',
  },
  'refusal-in-doubt': {
    file: 'requests/model/transition.ts',
    from: "input === 'refused' && mayHaveReceived(record) ? 'refused_in_doubt' : input",
    to: 'input',
  },
  'durable-events': {
    file: 'order-service/webhook/route.ts',
    from: 'await deps.record({ workspace, ...parsed })',
    to: "(void deps.record({ workspace, ...parsed }).catch(() => {}), { result: 'applied' as const, request: '' })",
  },
  'late-remains': {
    file: 'workspaces/installation/uninstall-timings.ts',
    from: 'lateWritesMs: 15 * MINUTE_MS,',
    to: 'lateWritesMs: MINUTE_MS,',
  },
  'removal-cut-short': {
    file: 'workspaces/installation/removal.ts',
    from: 'if (!installed) return toSweep(deps, uninstall, now);',
    to: 'if (!installed) return undefined;',
  },
  'removal-begun-anew': {
    file: 'workspaces/installation/uninstall-record.ts',
    from: ', removed: standing.removed };',
    to: ' };',
  },
  'forgotten-settings': { file: 'compose/adapters.ts', from: '      settings.forget,\n', to: '' },
  'lock-of-settings': {
    file: 'workspaces/settings.ts',
    from: 'return withLock(workspace, async (lease) => {\n      const current',
    to: 'return (async (act: (lease: Lease) => Promise<T>) => act({ write: (work) => work() }))(async (lease) => {\n      const current',
  },
  'end-of-a-lock': {
    file: 'storage/locks.ts',
    from: 'const ms = ttlMs - (monotonic() - since);',
    to: 'const ms = Number.POSITIVE_INFINITY;',
  },
  'sealed-tokens': {
    file: 'workspaces/cipher.ts',
    from: "return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url')].join('.');",
    to: "return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url'), secret].join('.');",
  },
  'copies-left-by-a-tidy': {
    file: 'slack/messages/duplicates/tidy-messages.ts',
    from: 'const isNeeded = done.left.length > 0 && kept?.channel === channel;',
    to: 'const isNeeded = false;',
  },
  'copies-of-what-is-obsolete': {
    file: 'requests/engine/advance-notification.ts',
    from: 'if (await isObsolete(deps, notification, effect)) return dropObsolete(deps, notification);',
    to: "if (notification.type === 'token_refused' && !(await deps.isInForce(notification)))\n        return void (await deps.workspaceNotifications.remove(notification));",
  },
  'version-of-what-is-obsolete': {
    file: 'requests/engine/advance-notification.ts',
    from: 'remove(notification, version)',
    to: 'remove(notification)',
  },
  'round-of-a-message': {
    file: 'slack/messages/destination.ts',
    from: 'approval?.approvalMessage?.round ?? approval?.round',
    to: 'approval?.round',
  },
  'place-of-copies': {
    file: 'requests/use-cases/approvals/resend.ts',
    from: 'const placed = withPlaceOfCopies(policy, record.approval);',
    to: 'const placed = policy;',
  },
  'thread-of-an-attempt': {
    file: 'slack/messages/duplicates/find-and-tidy.ts',
    from: 'await destinationOf(client, record, messageKey, { to, thread: doubt?.thread });',
    to: 'await destinationOf(client, record, messageKey, { to });',
  },
  'votes-on-copies': {
    file: 'requests/model/facts/messages.ts',
    from: ' || delivery.tidies !== undefined',
    to: '',
  },
  'doubt-behind-a-result': {
    file: 'requests/engine/apply-posting.ts',
    from: 'return isCopy(before, result) ? owingTidy(given, messageKey, context, until) : given;',
    to: 'return given;',
  },
  'misplaced-reply': {
    file: 'slack/messages/duplicates/misplaced-reply.ts',
    from: "code !== 'message_not_found' && type === 'refused'",
    to: "code !== 'message_not_found' && type",
  },
  'misplaced-reply-found': {
    file: 'slack/messages/duplicates/find-message.ts',
    from: 'if (ts && searched.isMisplaced) return removeMisplacedReply(client, log, { channel, ts });',
    to: '',
  },
  'misplaced-reply-kept': {
    file: 'slack/messages/duplicates/tidy-messages.ts',
    from: 'return earliest === undefined || isMisplaced ?',
    to: 'return earliest === undefined ?',
  },
  'search-for-what-is-unwanted': {
    file: 'requests/model/message-effects.ts',
    from: "isUnsettled(record, { type: 'notification', n: each.n }, each.delivery) &&",
    to: 'isPending(each.delivery) && isStillWanted(record, each) &&',
  },
  'time-of-a-search': {
    file: 'requests/engine/advance-notification.ts',
    from: "if (!claim || notification.delivery.status !== 'owed') return notification;",
    to: 'if (!claim) return notification;',
  },
  sweep: { file: 'jobs/sweep.ts', from: 'wake(ref);', to: 'void ref;' },
};
