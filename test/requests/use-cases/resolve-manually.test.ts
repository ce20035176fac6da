import { describe, expect, test } from 'vitest';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { MANUAL_ACTIONS, STATE_NAMES } from '../../../src/requests/model/states.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { unreplicated } from '../../../src/requests/ports/replicated.ts';
import { entryOf } from '../../../src/requests/store/entry.ts';
import {
  findForResolution,
  possibleActions,
  resolveManually,
} from '../../../src/requests/use-cases/resolve-manually.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { answered, queued, said, T0 } from '../../support/requests/records.ts';
import { sqliteStore } from '../../support/storage/stores.ts';

const directory = directoryOf((id) => ({ isAdmin: id === 'UADMIN', isGuest: id === 'UGUEST' }));

async function setUp(record: RequestRecord) {
  const { store } = sqliteStore(() => T0);
  await store.create(entryOf(record, TIMINGS));
  const triggered: string[] = [];
  const deps = {
    store,
    replicated: unreplicated,
    directory,
    workspaces: { connection: async () => 'connected' as const, settings: async () => ({}) },
    timings: TIMINGS,
    wake: ({ id }: { id: string }) => void triggered.push(id),
  };
  const step = currentStep(record).n;
  const who = (by: string, workspace = 'T1') => ({ workspace, id: record.id, by, step });
  return { store, deps, triggered, who };
}

const failed = (code = 'FORBIDDEN') => answered({ type: 'refused', httpStatus: 403, code, details: [] });
const unknown = () => answered({ type: 'no_answer', why: 'cut' });

describe('what a person may do with a request', () => {
  test.each(STATE_NAMES)('that is %s is possible in the transition table, too', (state) => {
    const record = { ...queued(), state };
    for (const action of possibleActions(record)) {
      expect(transition(record, { type: 'person', by: 'U1', action }, T0)).toBeDefined();
    }
  });

  test('is recorded with their name, and triggered', async () => {
    const { deps, triggered, who } = await setUp(unknown());
    const done = await resolveManually(deps, who('U1'), 'approved');
    expect(done).toMatchObject({ type: 'done', record: { state: 'approved' } });
    expect(done.type === 'done' && done.record.steps.at(-1)?.cause).toEqual({
      type: 'person',
      by: 'U1',
      action: 'approved',
    });
    expect(triggered).toEqual([unknown().id]);
  });

  test('is nothing but what the state allows', async () => {
    for (const action of MANUAL_ACTIONS) {
      const { deps, who, store } = await setUp(answered(said('canceled')));
      expect(await resolveManually(deps, who('U1'), action)).toMatchObject({ type: 'too_late' });
      expect((await store.get(who('U1')))?.record.version).toBe(1);
    }
  });

  test.each([
    ['UGUEST', 'guest'],
    ['UOTHER', 'not_theirs'],
  ])('is nothing for %s', async (by, problem) => {
    const { deps, who } = await setUp(failed());
    expect(await resolveManually(deps, who(by), 'retry')).toEqual({ type: 'not_allowed', problem });
    expect(await findForResolution(deps, who(by))).toEqual({ type: 'not_allowed', problem });
  });

  test('is for an admin, too', async () => {
    const { deps, who } = await setUp(failed());
    expect(await resolveManually(deps, who('UADMIN'), 'retry')).toMatchObject({
      type: 'done',
      record: { state: 'queued' },
    });
  });

  test('reaches no request of another workspace, though its id is known', async () => {
    const { deps, who, store } = await setUp(failed());
    expect(await resolveManually(deps, who('UADMIN', 'T2'), 'retry')).toEqual({ type: 'not_found' });
    expect((await store.get(who('U1')))?.record.state).toBe('failed');
  });

  test('takes the slot again, or tells who has it', async () => {
    const { deps, who, store } = await setUp(failed());
    await store.create(entryOf(queued({ id: 'second' }), TIMINGS));
    expect(await resolveManually(deps, who('U1'), 'retry')).toMatchObject({
      type: 'slot_taken',
      by: { id: 'second' },
    });
  });

  test('gives it a new quarter of an hour, and forgets what it waited for', async () => {
    const { deps, who } = await setUp(failed());
    const done = await resolveManually(deps, who('U1'), 'retry');
    expect(done.type === 'done' && done.record.call).toEqual({ attempts: 1, notBefore: T0 });
  });
});
