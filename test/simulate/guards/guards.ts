/**
 * Mutants of the bot: each removes one guard by a change of the source. The simulation must find violations in a mutant
 * (`--without`); otherwise it could not detect that the guard is lost.
 */
export type Mutant = { file: string; from: string; to: string };

export const GUARDS: Record<string, Mutant> = {
  claims: {
    file: 'outbox/advance.ts',
    from: "if (claim) return { type: 'rest', until: claim.expiresAt };",
    to: '',
  },
  'read-back': {
    file: 'outbox/attempt.ts',
    from: "return { status: 'doubtful', tries, ...possible, notBefore: now + doubtMs, ...owing };",
    to: "return { status: 'owed', tries, notBefore: now, ...owing };",
  },
  tidy: {
    file: 'requests/model/pending-effects.ts',
    from: 'isUnsettled(record, message) ? [] : tidiesOf(message)',
    to: 'isUnsettled(record, message) || true ? [] : tidiesOf(message)',
  },
  'copies-of-a-notice': {
    file: 'requests/model/notices/notice-effects.ts',
    from: 'return isCopy(before, result) ? owingNoticeTidy(notice, attempt) : notice;',
    to: 'return notice;',
  },
  deadline: {
    file: 'outbox/claim.ts',
    from: 'const isInTime = () => deps.monotonic() - readAtMonotonic <= deps.claimMs / 2;',
    to: 'const isInTime = () => true;',
  },
  'late-update': {
    file: 'outbox/message.ts',
    from: 'return refreshedAfter(updatePostponed(upkeep, now), now + appearMs);',
    to: 'return updatePostponed(upkeep, now);',
  },
  'refused-extra-update': {
    file: 'outbox/message.ts',
    from: 'return { ...upkeep, shown: 0, updateAt: now + apartMs,',
    to: 'return { ...upkeep, updateAt: now + apartMs,',
  },
  'own-limits': {
    file: 'storage/rate-limiter.ts',
    from: 'function stateOf(limits: Limits, workspace: string, name: string, { at, lost }: Clock): State {',
    to: "function stateOf(limits: Limits, _own: string, name: string, { at, lost }: Clock): State {\n    const workspace = '';",
  },
  'late-listing': {
    file: 'outbox/attempt.ts',
    from: 'notBefore: Math.max(tidy.notBefore, until)',
    to: 'notBefore: tidy.notBefore',
  },
  'deadline-of-a-call': {
    file: 'order-service/calls.ts',
    from: 'await call(record, token, guard)',
    to: 'await call(record, token, { inTime: () => true, isHeld: async () => true })',
  },
  'search-window': {
    file: 'slack/messages/find-message.ts',
    from: 'const AFTER_MS = 5 * 60_000;',
    to: 'const AFTER_MS = 0;',
  },
  'clock-of-a-search': {
    file: 'slack/messages/find-message.ts',
    from: 'const ahead = await slackAhead(clients, client, claimedAt);',
    to: 'const ahead = 0;',
  },
  'whole-search': {
    file: 'slack/messages/find-message.ts',
    from: 'if (!cursor) return',
    to: 'if (true) return',
  },
  'in-doubt': {
    file: 'requests/engine/apply-call.ts',
    from: "    case 'no_answer':\n      return true;",
    to: "    case 'no_answer':\n      return false;",
  },
  'no-resend': {
    file: 'order-service/calls.ts',
    from: 'const { problem: _inLog, ...answer } = outcome;',
    to: "if (outcome.type === 'no_answer') return { answer: { type: 'not_received', why: 'unreachable' } };\n    const { problem: _inLog, ...answer } = outcome;",
  },
  'claim-of-a-call': {
    file: 'requests/engine/effects.ts',
    from: 'return applyCallResult(free, NO_ANSWER, attempt, now);',
    to: "return applyCallResult(free, { type: 'not_received', why: 'interrupted' }, attempt, now);",
  },
  'button-taken-back-late': {
    file: 'requests/use-cases/approvals/vote.ts',
    from: 'record: withoutButtonVote(over, approval, cast, now)',
    to: 'record: over',
  },
  'order-of-votes': {
    file: 'requests/model/approval.ts',
    from: 'if (moment <= last) return votes;\n  const next = { ...known, ...(added ? { addedAt: moment } : { removedAt: moment }) };',
    to: 'const next = { ...known, addedAt: added ? moment : 0, removedAt: added ? 0 : moment };',
  },
  'standing-votes': {
    file: 'requests/model/approval.ts',
    from: 'if (standing.length < quorum) return',
    to: 'if (standing.length <= quorum) return',
  },
  'confirm-votes': {
    file: 'requests/model/approval.ts',
    from: 'isConfirmed: (vote: Vote) => boolean = () => false',
    to: 'isConfirmed: (vote: Vote) => boolean = () => true',
  },
  'reactions-as-they-stand': {
    file: 'requests/engine/confirm-votes.ts',
    from: 'const gone = reactions ? votesGone(approval, reactions.standing) : [];',
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
    from: 'createDirectory(clients, runtime.monotonic, tokenWatch)',
    to: 'createDirectory(clients, runtime.now, tokenWatch)',
  },
  'withdrawal-for-admins': {
    file: 'requests/use-cases/who-may.ts',
    from: "return approval?.policy.mayWithdraw === false ? ['admins'] : ['requester', 'admins'];",
    to: "return ['requester', 'admins'];",
  },
  'group-of-requesters': {
    file: 'requests/use-cases/create-request.ts',
    from: 'checkRequester(deps, { workspace, requester, settings }),',
    to: 'checkRequester(deps, { workspace, requester, settings: { ...settings, requesters: undefined } }),',
  },
  'group-of-a-retry': {
    file: 'requests/use-cases/resolve-manually.ts',
    from: '? await refusalToRetry(deps, act, inForce.settings)',
    to: '? undefined',
  },
  'requests-of-the-forgotten': {
    file: 'requests/use-cases/forget-person.ts',
    from: 'for (const request of requests) await forgetIn(deps, request, person);',
    to: '',
  },
  'thread-of-a-card': {
    file: 'requests/use-cases/create-request.ts',
    from: '    ...(thread && { thread }),\n',
    to: '',
  },
  'emoji-of-carried-votes': {
    file: 'requests/model/approval.ts',
    from: '(vote) => isButton(vote) || choiceOf(policy, vote.source) === vote.choice,',
    to: '() => true,',
  },
  'denials-of-people': {
    file: 'slack/directory/directory.ts',
    from: 'isKept: staysSo,',
    to: 'isKept: () => true,',
  },
  'age-of-a-list': {
    file: 'slack/directory/remembered.ts',
    from: 'const ttl = REMEMBERED_MS - (monotonic() - askedAt);',
    to: 'const ttl = REMEMBERED_MS;',
  },
  'list-read-before-a-report': {
    file: 'slack/directory/remembered.ts',
    from: 'if (isCurrent()) keep(key, users, at);',
    to: 'keep(key, users, at);',
  },
  'notices-of-settings': {
    file: 'workspaces/settings-record.ts',
    from: 'channelsToTell(current.settings, next).map(',
    to: '([] as string[]).map(',
  },
  'reply-of-asking-again': {
    file: 'requests/use-cases/approvals/approval-needed.ts',
    from: 'const told = isStanding && !approvalMessageOf(next) ? next : withReply(next);',
    to: 'const told = next;',
  },
  'any-step': {
    file: 'requests/use-cases/resolve-manually.ts',
    from: "if (action === 'retry') return seen.call !== call.attempts;",
    to: "if (action !== 'release') return seen.call !== call.attempts;",
  },
  'late-in-history': {
    file: 'requests/model/acts.ts',
    from: 'return isKnown\n    ? record',
    to: 'return isKnown || late.at > 0\n    ? record',
  },
  'own-request': {
    file: 'requests/use-cases/approvals/approvers.ts',
    from: ' ?? ownRequest(record, approval, by)',
    to: '',
  },
  guests: {
    file: 'requests/use-cases/approvals/approvers.ts',
    from: 'personProblem(await directory.person(workspace, by)) ??',
    to: 'personProblem(await directory.person(workspace, by).then((one) => one && { ...one, isGuest: false })) ??',
  },
  'limit-of-a-person': {
    file: 'requests/use-cases/requester.ts',
    from: "if (counted.type === 'over_limit') return counted;",
    to: "if (counted.type === 'over_limit') return resultOf(await make([]));",
  },
  'pause-of-calls': {
    file: 'requests/engine/request-type.ts',
    from: 'return beginLimited(deps, read, effect, { holder, conditions: [whileInForce(inForce)] });',
    to: 'return beginLimited(deps, read, effect, { holder });',
  },
  slot: { file: 'requests/store/writes.ts', from: 'slot: slotOf(record),', to: 'slot: undefined,' },
  'card-first': {
    file: 'requests/model/pending-effects.ts',
    from: "mayBegin && cardOf(record).delivery.status === 'posted'",
    to: 'mayBegin',
  },
  'generation-of-a-connection': {
    file: 'workspaces/connection/connection-writes.ts',
    from: 'if (found?.record.generation !== generation) return undefined;',
    to: 'if (!found) return undefined;\n      void generation;',
  },
  'tokens-that-nobody-names': {
    file: 'workspaces/connection/stored-tokens.ts',
    from: 'if (condition && (await deps.holders.dropIf(condition, { generation, fingerprint })))',
    to: 'if (false)',
  },
  'holder-before-its-token': {
    file: 'workspaces/connection/stored-tokens.ts',
    from: 'const named = await deps.holders.add(token, holder);',
    to: 'await deps.sealed.write(holder, token);\n    const named = await deps.holders.add(token, holder);',
  },
  'times-of-events': {
    file: 'requests/model/events-and-calls.ts',
    from: "return isNewer ? 'newer' : 'stale';",
    to: "return 'newer';",
  },
  'events-without-a-time': {
    file: 'requests/model/events-and-calls.ts',
    from: "if (updatedAt === undefined || former.updatedAt === undefined) return 'newer';",
    to: "if (updatedAt === undefined || former.updatedAt === undefined) return updatedAt ? 'newer' : 'stale';",
  },
  'repeated-events': {
    file: 'requests/model/events.ts',
    from: "if (isApplied(record, event)) return 'repeated';",
    to: '',
  },
  'unreadable-times': {
    file: 'requests/model/cause.ts',
    from: '  .optional()\n  .catch(undefined);',
    to: '  .optional();',
  },
  'answers-older-than-an-event': {
    file: 'requests/engine/apply-call.ts',
    from: 'return hasUntimed || ',
    to: 'return ',
  },
  'events-before-an-answered-call': {
    file: 'requests/engine/apply-call.ts',
    from: '(last.arrivedAt ?? 0) > call.at && ',
    to: '',
  },
  'earlier-denial': {
    file: 'requests/engine/apply-call.ts',
    from: 'return callsAfter(record, attempt).every(',
    to: 'return true || callsAfter(record, attempt).every(',
  },
  'events-before-a-call': {
    file: 'requests/model/events.ts',
    from: 'isFromBefore(call, event) || ',
    to: '',
  },
  'events-before-a-doubt': {
    file: 'requests/model/events.ts',
    from: 'if (saysCanceled(event) || !isBeforeDoubt(record, event)) return false;',
    to: 'return false;',
  },
  'cancellation-before-a-doubt': {
    file: 'requests/model/events.ts',
    from: 'if (saysCanceled(event) || !isBeforeDoubt',
    to: 'if (!isBeforeDoubt',
  },
  'events-after-a-doubt': {
    file: 'requests/model/events.ts',
    from: 'record: applyAll(moved, moved.bufferedEvents, now) }',
    to: 'record: moved }',
  },
  'events-during-a-call': {
    file: 'requests/model/events.ts',
    from: "return { result: 'buffered', record: { ...next, bufferedEvents: [...others, event] } };",
    to: "return { result: 'buffered', record };",
  },
  'room-for-waiting-events': {
    file: 'requests/model/events.ts',
    from: 'bufferedEvents.length >= MOST_BUFFERED)',
    to: 'bufferedEvents.length >= 1_000 * MOST_BUFFERED)',
  },
  'events-summed-up': {
    file: 'requests/store/notices.ts',
    from: "const further = [{ type: 'notices', entry: noticeEntry(notice) }] as const;",
    to: "const further = 'channel' in notice ? [{ type: 'notices', entry: noticeEntry(notice) }] as const : [];",
  },
  'overtaken-answers': {
    file: 'requests/model/transition.ts',
    from: 'if (!mayBeOvertaken || !reply || !isUnread(record, reply)) return record;',
    to: 'if (!mayBeOvertaken || !reply || isUnread(record, reply)) return record;',
  },
  'acts-between-flips': {
    file: 'requests/model/transition.ts',
    from: 'if (!reply || !isAnnounced(step.cause))',
    to: "if (!reply || !(isAnnounced(step.cause) || step.cause.type === 'person'))",
  },
  'unread-replies': {
    file: 'requests/model/transition.ts',
    from: 'return reply.upkeep || isUnread(record, reply) ? reply : undefined;',
    to: 'return reply.upkeep || isUnread(record, reply) || step.flips === undefined ? reply : undefined;',
  },
  'revision-of-a-summary': {
    file: 'requests/model/transition.ts',
    from: '{ ...former.upkeep, revision: revision + 1 }',
    to: 'former.upkeep',
  },
  'late-answers': {
    file: 'requests/engine/effects.ts',
    from: 'return { outcome, apply, applyLate };',
    to: 'return { outcome, apply };',
  },
  'refusal-in-doubt': {
    file: 'requests/model/transition.ts',
    from: "input === 'refused' && mayHaveReceived(record) ? 'refused_in_doubt' : input",
    to: 'input',
  },
  'earlier-call-of-a-refusal': {
    file: 'slack/messages/sentences/service-texts.ts',
    from: 'const earlier = mayHaveReceived(record, n)',
    to: 'const earlier = !mayHaveReceived(record, n)',
  },
  'refusal-known-late': {
    file: 'slack/messages/sentences/service-texts.ts',
    from: 'const earlier = mayHaveReceived(record, n)',
    to: 'const earlier = mayHaveReceived(record, n) || n > 0',
  },
  'durable-events': {
    file: 'order-service/events-route.ts',
    from: 'await deps.record({ workspace, kind, event })',
    to: "(void deps.record({ workspace, kind, event }).catch(() => {}), { result: 'applied' as const, request: '' })",
  },
  'late-remains': {
    file: 'workspaces/installation/uninstall-record.ts',
    from: 'lateWritesMs: 15 * MINUTE_MS,',
    to: 'lateWritesMs: MINUTE_MS,',
  },
  'removal-cut-short': {
    file: 'workspaces/installation/removal.ts',
    from: 'await replaceBot(deps, uninstall, uninstall.workspace);\n    return toSweep(deps, uninstall, now);',
    to: 'return undefined;',
  },
  'removal-begun-anew': {
    file: 'workspaces/installation/uninstall-record.ts',
    from: ', removed: standing.removed };',
    to: ' };',
  },
  'renewed-tokens': {
    file: 'slack/install/rotation.ts',
    from: 'leftMs(stored) <= EARLY_MS',
    to: 'leftMs(stored) <= 0',
  },
  'stored-pairs': {
    file: 'slack/install/new-pairs.ts',
    from: 'if (current && isSame(current, exchanged)) return store.replaceTokens(exchanged, tokens, expiresAt);',
    to: '',
  },
  'forgotten-settings': { file: 'compose/adapters.ts', from: '    settings.forget,\n', to: '' },
  'version-of-settings': {
    file: 'outbox/record-store.ts',
    from: 'store.update(entry, version, ',
    to: 'store.update(entry, (await (store as RecordStore<R>).get(entry.record))?.record.version ?? 0, ',
  },
  'settings-in-force': {
    file: 'requests/store/writes.ts',
    from: "type: 'settings',\n  id: SETTINGS_ID,\n  version,",
    to: "type: 'settings',\n  id: 'none',\n  version: undefined as typeof version,",
  },
  'sealed-tokens': {
    file: 'workspaces/cipher.ts',
    from: "return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url')].join('.');",
    to: "return [FORMAT, id, nonce.toString('base64url'), body.toString('base64url'), secret].join('.');",
  },
  'copies-left-by-a-tidy': {
    file: 'slack/messages/tidy-messages.ts',
    from: 'const isNeeded = done.left.length > 0 && kept?.channel === channel;',
    to: 'const isNeeded = false;',
  },
  'copies-of-what-is-obsolete': {
    file: 'requests/engine/notice-type.ts',
    from: "if (await isObsolete(deps, record, type)) return { type: 'change', change: dropped(record) };",
    to: "if (record.type === 'token_refused' && !(await deps.isInForce(record)))\n        return { type: 'change', change: { record: undefined } };\n      void [isObsolete, dropped];",
  },
  'version-of-what-is-obsolete': {
    file: 'outbox/advance.ts',
    from: 'store.remove(before, before.version)',
    to: 'store.remove(before)',
  },
  'round-of-a-message': {
    file: 'slack/messages/messenger.ts',
    from: 'marker: markerOf(record, messageKey)',
    to: "marker: markerOf(record, messageKey.startsWith('approval') ? 'approval:' + record.approval?.round : messageKey)",
  },
  'place-of-copies': {
    file: 'requests/use-cases/approvals/approval-needed.ts',
    from: 'const placed = withPlaceOfCopies(policy, record);',
    to: 'const placed = policy;',
  },
  'thread-of-an-attempt': {
    file: 'slack/messages/find-message.ts',
    from: 'await threadAt(client, outgoing.placeOf(copies), thread);',
    to: 'await threadAt(client, outgoing.placeOf(copies));',
  },
  'copies-of-a-moved-note': {
    file: 'slack/messages/messenger.ts',
    from: 'copies ? { ...message, to: copies.to } : message',
    to: "copies && message.type === 'reply' ? { ...message, to: copies.to } : message",
  },
  'votes-on-copies': {
    file: 'requests/model/record-messages.ts',
    from: ' || delivery.tidies !== undefined',
    to: '',
  },
  'doubt-behind-a-result': {
    file: 'requests/engine/apply-posting.ts',
    from: 'return isCopy(before, result) ? owingTidy(given, messageKey, context) : given;',
    to: 'return given;',
  },
  'misplaced-reply': {
    file: 'slack/messages/deliver.ts',
    from: "code !== MESSAGE_GONE && type === 'refused'",
    to: 'code !== MESSAGE_GONE && type',
  },
  'misplaced-reply-found': {
    file: 'slack/messages/find-message.ts',
    from: 'if (ts && searched.isMisplaced) return removeMisplacedReply(client, log, { channel, ts });',
    to: '',
  },
  'misplaced-reply-kept': {
    file: 'slack/messages/tidy-messages.ts',
    from: 'isMisplaced ? [] : found.map(',
    to: 'found.map(',
  },
  'search-for-what-is-unwanted': {
    file: 'requests/model/pending-effects.ts',
    from: 'filter((note) => isUnsettled(record, note) &&',
    to: 'filter((note) => isPending(note.delivery) && isStillWanted(record, note) &&',
  },
  'time-of-a-search': {
    file: 'requests/engine/notice-type.ts',
    from: "if (effect !== 'post') return notice;",
    to: "if (effect !== 'post' && effect !== 'find') return notice;",
  },
  'tries-of-a-reply': {
    file: 'outbox/attempt.ts',
    from: "    case 'later':\n      return { ...before, tries, notBefore: retryAt(now, tries, result.retryAfterMs) };",
    to: "    case 'later':\n      return tries > 2 ? givenUp(before, result.code) : { ...before, tries, notBefore: retryAt(now, tries, result.retryAfterMs) };",
  },
  'tries-of-what-is-refused': {
    file: 'outbox/record-type.ts',
    from: 'return passed < REFUSED_FOR_GOOD_MS ?',
    to: 'return passed < 0 ?',
  },
  'reply-of-a-denial': {
    file: 'requests/model/states.ts',
    from: "denied: { ...ENDED, outcome: 'undone',",
    to: "denied: { ...ENDED, reply: 'none', outcome: 'undone',",
  },
  'thread-of-a-reply': {
    file: 'requests/model/record-notes.ts',
    from: "if (message.to === 'channel') return",
    to: "if (message.to !== 'requester') return",
  },
  'minute-between-tries': {
    file: 'outbox/record-type.ts',
    from: 'return Math.min(60_000, 1_000 *',
    to: 'return Math.max(3_600_000, 1_000 *',
  },
  'revision-of-a-card': {
    file: 'requests/model/pending-effects.ts',
    from: 'message ? updateOf(message, record.revision) : []',
    to: "message && message.type !== 'card' ? updateOf(message, record.revision) : []",
  },
  'requests-that-may-be-made': {
    file: 'requests/use-cases/requester.ts',
    from: "if (connection !== 'connected') return { type: connection };",
    to: "if (connection !== 'connected' || person) return { type: connection === 'connected' ? 'not_connected' : connection };",
  },
  'stored-requests': {
    file: 'requests/use-cases/create-request.ts',
    from: 'const creation = await store.create(entry, conditions, auditOf(undefined, record));',
    to: "const creation = { type: 'created' } as Awaited<ReturnType<typeof store.create>>;\n  void [store, entry, conditions, auditOf];",
  },
  'warning-of-an-earlier-request': {
    file: 'requests/use-cases/create-request.ts',
    from: 'if (warning) return warning;',
    to: '',
  },
  'words-of-a-repetition': {
    file: 'slack/messages/sentences/answer-texts.ts',
    from: 'if (repeats) {',
    to: 'if (repeats && record === undefined) {',
  },
  'mistake-of-a-repetition': {
    file: 'requests/model/refusal.ts',
    from: '  repeats === undefined &&\n',
    to: '',
  },
  'retry-of-a-final-refusal': {
    file: 'requests/use-cases/possible-actions.ts',
    from: 'return refusal === undefined || canSucceedAgain(refusal);',
    to: 'return true;',
  },
  'policies-of-requests': {
    file: 'requests/use-cases/create-request.ts',
    from: 'const policy = settings.policies?.[input.kind];',
    to: 'const policy = undefined as NonNullable<typeof settings.policies>[typeof input.kind];',
  },
  'approval-messages': {
    file: 'requests/model/pending-effects.ts',
    from: "const isNext = cardOf(record).delivery.status === 'posted' && isWanted(record, message);",
    to: "const isNext = cardOf(record).delivery.status === 'given_up' && isWanted(record, message);",
  },
  'notes-of-former-rounds': {
    file: 'requests/model/record-notes.ts',
    from: 'STATES[state].votes && at >= (approval?.since ?? 0);',
    to: 'STATES[state].votes && at >= 0 * (approval?.since ?? 0);',
  },
  reminders: {
    file: 'requests/model/record-notes.ts',
    from: 'since + Math.floor(policy.expiresAfterMs / 2)',
    to: 'since + policy.expiresAfterMs * 2',
  },
  'channel-of-notices': {
    file: 'requests/use-cases/record-event.ts',
    from: 'const { notificationsChannel: channel } = await workspaces.settings(workspace);',
    to: 'const { requesters: channel } = await workspaces.settings(workspace);',
  },
  'unmatched-events': {
    file: 'requests/use-cases/record-event.ts',
    from: 'await deps.keepUnmatched({ workspace, kind, event });',
    to: '',
  },
  'admins-that-are-told': {
    file: 'workspaces/tell-admins.ts',
    from: 'replicated(async () => keepNotice(deps, newAdminsNotice(refused, await notices.now())));',
    to: 'replicated(async () => void [notices, refused]);',
  },
  'admins-of-policies': {
    file: 'requests/use-cases/approvals/approvers-changed.ts',
    from: 'if (goneGroup === undefined && (eligible ?? quorum) >= quorum) continue;',
    to: 'if (goneGroup === undefined) continue;',
  },
  'reasons-in-shared-channels': {
    file: 'slack/messages/content/card.ts',
    from: 'const record = asPosted(asChannelReads(whole));',
    to: 'const record = asPosted({ ...whole, inSharedChannel: false });',
  },
  'early-reactions': {
    file: 'requests/use-cases/approvals/react.ts',
    from: 'hasMoved(records) || isUnrecorded',
    to: 'false',
  },
  'reactions-in-a-moved-channel': {
    file: 'requests/use-cases/approvals/react.ts',
    from: 'hasMoved(records) || ',
    to: '',
  },
  'early-reactions-in-a-moved-channel': {
    file: 'requests/use-cases/approvals/react.ts',
    from: 'const { records } = await store.listBySubject(workspace, unrecordedSubject(emoji), limit);',
    to: [
      'const listed = await store.listBySubject(workspace, unrecordedSubject(emoji), limit);',
      'const isHere = (each: RequestRecord) => JSON.stringify(each).includes(message.channel);',
      'const records = listed.records.filter(isHere);',
    ].join('\n  '),
  },
  'reactions-at-a-failover': {
    file: 'requests/use-cases/approvals/react.ts',
    from: 'reacting.mayBeOurs ? deps.replicated(() => count(deps, reacting)) : count(deps, reacting);',
    to: 'count(deps, reacting);',
  },
  'answers-to-clicks-at-a-failover': {
    file: 'requests/use-cases/resolve-manually.ts',
    from: 'deps.replicated(() => resolveInForce(deps, who, action));',
    to: 'resolveInForce(deps, who, action);',
  },
  'expected-conflicts': {
    file: 'outbox/claim.ts',
    from: 'if (isWritten) type.report?.(',
    to: "if (!isWritten) throw new Error('The record has changed.');\n  type.report?.(",
  },
  'slot-of-a-target': {
    file: 'requests/model/record.ts',
    from: 'return open ? subjectOf(record.kind, record.target) : undefined;',
    to: "return open ? [record.kind, record.target].join(':') : undefined;",
  },
  'reply-of-an-expiry': {
    file: 'requests/model/states.ts',
    from: "expired: { ...ENDED, outcome: undefined, again: true, actions: [], groups: ['ended'] },",
    to: "expired: { ...ENDED, reply: 'none', outcome: undefined, again: true, actions: [], groups: ['ended'] },",
  },
  'client-of-a-token': {
    file: 'slack/client/clients.ts',
    from: 'if (known?.botToken === botToken) return known.client;',
    to: 'if (known) return known.client;',
  },
  'limits-of-an-uninstalled-workspace': {
    file: 'compose/adapters.ts',
    from: '    storage.limiter.forget,\n',
    to: '',
  },
  'workspace-in-a-cache': {
    file: 'slack/directory/directory.ts',
    from: 'kept(personKey(workspace, user)',
    to: "kept(personKey('', user)",
  },
  'delayed-cards': {
    file: 'requests/engine/request-type.ts',
    from: 'if (!asksApprovers(note)) return withNote(record, note, now);',
    to: "if (note.type === 'card_delayed') return { ...record, messages: [...record.messages, { type: 'card_delayed', key: 'card_delayed', at: now, delivery: { status: 'given_up', code: 'not_needed' } }] };\n  if (!asksApprovers(note)) return withNote(record, note, now);",
  },
  alarms: {
    file: 'requests/model/record-notes.ts',
    from: "return problem && !isKnown ? withNote(next, { type: 'alarm', problem }, now) : next;",
    to: 'return next;',
  },
  'title-in-an-alarm': {
    file: 'slack/messages/content/render.ts',
    from: 'escaped(plainTitleOf(record))}”, requested by',
    to: 'escaped(plainTitleOf({ ...record, target: record.id }))}”, requested by',
  },
  'wanted-reasons': {
    file: 'requests/model/acts.ts',
    from: "withNote(done, { type: 'reason_wanted' }, now) : done",
    to: 'done : done',
  },
  'misplaced-votes': {
    file: 'requests/engine/apply-update.ts',
    from: '.filter((voter) => !isTold(record, voter))',
    to: '.filter((voter) => !voter)',
  },
  'card-out-of-reach': {
    file: 'requests/engine/apply-update.ts',
    from: 'return withCardUnseen(record, code, now);',
    to: 'return withoutCard(record, code, now);',
  },
  'approval-message-out-of-reach': {
    file: 'requests/engine/apply-update.ts',
    from: "(type === 'card' || type === 'approval')",
    to: "type === 'card'",
  },
  'told-of-sharing': {
    file: 'requests/model/channels.ts',
    from: "return isNews ? withNote(next, { type: 'shared' }, now) : next;",
    to: 'return next;',
  },
  'time-of-an-expiry': {
    file: 'slack/messages/sentences/approval-texts.ts',
    from: 'time(since + policy.expiresAfterMs)',
    to: 'time(since + 2 * policy.expiresAfterMs)',
  },
  'time-in-the-queue': {
    file: 'requests/model/pending-effects.ts',
    from: 'at: queuedSince(record) + timings.expiresAfterMs }',
    to: 'at: queuedSince(record) + 60_000 }',
  },
  'replicated-events': {
    file: 'compose/bot.ts',
    from: 'storage.replicated(() => inTurn.run(orderOf(incoming), () => recordEvent(incoming)))',
    to: 'inTurn.run(orderOf(incoming), () => recordEvent(incoming))',
  },
  'channel-in-settings': {
    file: 'requests/use-cases/sharing.ts',
    from: 'await deps.renameInSettings(workspace, from, to);',
    to: '',
  },
  'age-of-what-is-removed': {
    file: 'requests/use-cases/retention.ts',
    from: 'if (currentStep(record).at >= cutoff || !hasEnded(record, timings)) continue;',
    to: 'if (currentStep(record).at >= cutoff) continue;',
  },
  'pages-of-a-channel': {
    file: 'slack/directory/read-people.ts',
    from: 'if (found.length >= MOST_MEMBERS) break;',
    to: 'break;',
  },
  sweep: { file: 'jobs/runner.ts', from: 'for (const ref of found) wake(ref);', to: 'void found;' },
  'entry-of-a-vote': {
    file: 'requests/model/audit-entry.ts',
    from: '    ...votesSince(before?.approval, after),\n',
    to: '',
  },
  'entry-of-a-decision': {
    file: 'requests/model/audit-entry.ts',
    from: "return { act: 'decided', by: cause.by };",
    to: 'return undefined;',
  },
  'entry-of-a-setting': {
    file: 'workspaces/settings-record.ts',
    from: 'acts: settingsChanged(acting, changed),',
    to: '',
  },
  'entry-of-a-pause': {
    file: 'workspaces/settings-record.ts',
    from: 'acts,\n    notices,',
    to: 'notices,',
  },
  'calls-never-heard-of': {
    file: 'requests/model/events-and-calls.ts',
    from: 'calls.filter((call) => call === calls.at(-1) || isTold(call));',
    to: 'calls;',
  },
  'words-that-wait-side-by-side': {
    file: 'requests/model/events.ts',
    from: 'formers.find((each) => replaces(event, each));',
    to: 'formers[0];',
  },
  'late-installation': {
    file: 'workspaces/installation/installations.ts',
    from: "if (!(await isAccepted())) throw new NotAddedError(id, 'replaced');",
    to: '',
  },
};
