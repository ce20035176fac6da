/** Plays a history on one request, with the real use cases and a store in memory, and records what each party reported. */
import { decided, withPause } from '../../../src/requests/model/acts.ts';
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import { withProblem } from '../../../src/requests/model/record-notes.ts';
import { isRecording } from '../../../src/requests/model/states.ts';
import { transition, withCallPutOff } from '../../../src/requests/model/transition.ts';
import { isResending } from '../../../src/requests/use-cases/possible-actions.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { acting, T0 } from '../requests/records.ts';
import { createCalls } from './calls.ts';
import { type Action, ADMIN, APPROVER, type History } from './histories.ts';
import { createKnowledge, type Knowledge } from './knowledge.ts';
import { createLocalService, eventElsewhere, type LocalService } from './local-service.ts';
import { openStoredRequest, type StoredRequest } from './stored-request.ts';

/** Longer than the tolerance of `ownerOf`, which takes close moments for one. */
const PAUSE_MS = 10_000;

export type HistoryHarness = ReturnType<typeof createHistoryHarness>;

export function createHistoryHarness(given: Pick<History, 'kind' | 'needsApproval'>) {
  const request = openStoredRequest(given);
  const knowledge = createKnowledge();
  const service = createLocalService();
  const calls = createCalls({ request, service, knowledge });
  const events = eventSteps(request, service, knowledge);
  const { clock } = request;

  /** @returns false: the action was not possible in the current state */
  async function perform(action: Action): Promise<boolean> {
    clock.now += PAUSE_MS;
    switch (action.do) {
      case 'call':
        return calls.begin(action.fate);
      case 'answer':
        return calls.answer(action.which);
      case 'freeze':
        return calls.freeze();
      case 'put_off':
        return request.change((record) =>
          record.state === 'queued' ? withCallPutOff(record, action.why, clock.now) : undefined,
        );
      case 'pause': {
        const pause = action.isOn ? { by: ADMIN, at: clock.now } : undefined;
        return request.change((record) => withPause(record, pause, clock.now));
      }
      case 'trouble':
        return request.change((record) =>
          record.state === 'awaiting_approval' ? withProblem(record, action.problem, clock.now) : undefined,
        );
      case 'expire':
        return request.change((record) => transition(record, { type: 'expire' }, clock.now));
      case 'vote':
        return request.change((record) => decided(record, decision(action.yes), clock.now));
      case 'person':
        return resolve(request, knowledge, action);
      case 'review':
        return service.review(action.which, action.outcome, clock.now);
      case 'event':
        return events.deliver(action.which);
      case 'elsewhere':
        return calls.begun() === 0 && events.elsewhere(action.outcome, action.isOld);
    }
  }

  return { read: request.read, store: request.deps.store, knowledge, begin: request.create, perform };
}

const decision = (yes: boolean) => ({
  type: 'decided' as const,
  choice: yes ? ('yes' as const) : ('no' as const),
  by: [APPROVER],
});

/** Delivers events of the order service. */
function eventSteps({ clock, read, receive }: StoredRequest, service: LocalService, knowledge: Knowledge) {
  const told = new Set<object>();
  return {
    async deliver(which: number): Promise<boolean> {
      const next = service.event(which);
      if (!next) return false;
      // A repeated event says nothing new, also after a person has recorded something (promise 4).
      if (!told.has(next)) knowledge.serviceSaid(next.outcome, next.event.updatedAt ?? clock.now);
      told.add(next);
      await receive(next.event);
      return true;
    },
    /** Only before the first call: later such an event could not be told from one about this request. */
    async elsewhere(outcome: ServiceEvent['status'], isOld: boolean): Promise<boolean> {
      const isDone = outcome === 'approved' || outcome === 'canceled';
      const { state } = await read();
      if (isDone && !isOld && state === 'awaiting_approval') knowledge.canceledElsewhere();
      await receive(eventElsewhere(outcome, isOld ? T0 - 60_000 : clock.now));
      return true;
    },
  };
}

/** Retries the request or records its outcome, as a person. */
async function resolve(
  { clock, deps, read, ref }: StoredRequest,
  knowledge: Knowledge,
  { by, act }: Extract<Action, { do: 'person' }>,
): Promise<boolean> {
  const record = await read();
  const done = await resolveManually(
    deps,
    { ...acting(record, by), ...ref, click: `click ${record.version}` },
    act,
  );
  if (done.type !== 'done') return false;
  if (act === 'not_received' || act === 'never_received') knowledge.personSaid(by, undefined, clock.now);
  if (isResending(act)) knowledge.resent(by, act);
  if (act === 'release') knowledge.released();
  if (isRecording(act)) knowledge.personSaid(by, act === 'in_review' ? 'pending' : act, clock.now);
  return true;
}
