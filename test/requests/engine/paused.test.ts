/** While an admin has paused sending, no call begins and no votes are confirmed; afterwards everything goes on. */
import { describe, expect, test } from 'vitest';
import { unreplicated } from '../../../src/outbox/ports.ts';
import { BUTTON } from '../../../src/requests/model/approval.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { vote } from '../../../src/requests/use-cases/approvals/vote.ts';
import { showPause } from '../../../src/requests/use-cases/pause-sending.ts';
import { offeredActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { type AdvanceDeps, advanceRequest, nextEffect } from '../../support/requests/advance-request.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { carded, queued, said, T0 } from '../../support/requests/records.ts';
import { shownIn } from '../../support/shown.ts';

const MINUTE = 60_000;
const OLGA = { by: 'UOLGA' };
const PAUSED = 'UOLGA> paused sending';

async function setUp(record: RequestRecord = queued()) {
  const harness = createEngineHarness({ answer: said('canceled') });
  const { settings, store } = harness;
  await harness.create(record);
  const workspaces = { inForce: settings.inForce };
  const woken: string[] = [];
  const changing = {
    store,
    replicated: unreplicated,
    timings: TIMINGS,
    wake: ({ id }: { id: string }) => void woken.push(id),
  };
  return {
    ...harness,
    woken,
    pause: () => settings.pause('T1', OLGA),
    resume: () => settings.resume('T1', OLGA),
    show: () => showPause({ ...changing, workspaces }, 'T1'),
    advance: (over: Partial<AdvanceDeps> = {}) => advanceRequest({ ...harness.deps(), ...over }, record),
    vote: (by: string) =>
      vote({ ...changing, workspaces, directory: directoryOf() }, record, {
        ...{ by, choice: 'yes', source: BUTTON, added: true },
      }),
    shown: async () => shownIn(card(await harness.read(record))),
  };
}

const PEOPLE: Policy = { ...POLICY, quorum: 1, approvers: { type: 'people', people: ['UANA', 'UBEN'] } };

describe('while sending is paused', () => {
  test('the card is posted, and says who paused sending and until when it waits; nothing is called', async () => {
    const { pause, advance, pass, calls, shown, read } = await setUp();
    await pause();
    // The card was posted just now, so that it says so a little later.
    expect(await advance()).toBe(TIMINGS.apartMs);
    pass(TIMINGS.apartMs);
    expect(await advance()).toBe(MINUTE);
    expect(calls).toEqual([]);
    expect(await read()).toMatchObject({ state: 'queued', paused: { by: 'UOLGA', at: T0 } });
    expect(await shown()).toMatch(
      /UOLGA> paused sending .+\. Nothing is sent until an admin resumes it, and the request expires /,
    );
  });

  test('a request offers its withdrawal, until it is on its way again', async () => {
    const posted = carded();
    const { pause, resume, show, read } = await setUp(posted);
    const offered = async () => offeredActions(await read(posted));
    await pause();
    await show();
    expect(await offered()).toEqual(['withdraw']);
    await resume();
    await show();
    expect(await offered()).toEqual([]);
  });

  test('a request is looked at once a minute, and is called once sending is resumed, though nobody has woken it', async () => {
    const { pause, resume, advance, pass, calls, read } = await setUp();
    await pause();
    await advance();
    pass(MINUTE);
    expect(await advance()).toBe(MINUTE);
    await resume();
    pass(MINUTE);
    await advance();
    expect(calls).toHaveLength(1);
    expect(await read()).not.toHaveProperty('paused');
  });

  test('a request expires as always, and says why', async () => {
    const { pause, advance, pass, read, shown } = await setUp();
    await pause();
    await advance();
    pass(TIMINGS.expiresAfterMs);
    await advance();
    expect((await read()).state).toBe('expired');
    expect(await shown()).toMatch(
      /Expired\nRequest it again with \/cancel-order once an admin has resumed sending/,
    );
  });

  test('no call begins that was about to begin when the pause was saved', async () => {
    const { pause, advance, calls, read, settings } = await setUp();
    const inForce: AdvanceDeps['inForce'] = async (workspace) => {
      const before = await settings.inForce(workspace);
      await pause();
      return before;
    };
    await advance({ inForce });
    expect(calls).toEqual([]);
    expect(await read()).toMatchObject({ state: 'queued', call: { attempts: 0 } });
  });

  test('a call that had begun is finished', async () => {
    const { pause, advance, read, deps } = await setUp();
    const carryOut = async () => {
      await pause();
      return { answer: said('canceled') };
    };
    await advance({ calls: { ...deps().calls, carryOut } });
    expect((await read()).state).toBe('canceled');
  });

  test('votes that were to be confirmed are held, and confirmed afterwards without an alarm', async () => {
    const waiting = waitingRecord(PEOPLE);
    const { pause, resume, advance, vote, pass, read, shown, calls } = await setUp(waiting);
    await advance();
    expect((await vote('UANA')).type).toBe('counted');
    await pause();
    await advance();
    expect(calls).toEqual([]);
    expect(await shown()).toContain(PAUSED);
    pass(10 * MINUTE);
    await advance();
    await resume();
    pass(MINUTE);
    await advance();
    expect(calls).toHaveLength(1);
    expect(notesOf(await read(waiting))).toEqual([]);
  });

  test('approvals that were being confirmed decide nothing, and decide afterwards', async () => {
    const waiting = waitingRecord(PEOPLE);
    const { pause, resume, show, advance, vote, pass, read, shown, deps, calls } = await setUp(waiting);
    await advance();
    await vote('UANA');
    const { messenger } = deps();
    const readVoterRights: typeof messenger.readVoterRights = async (...given) => {
      await pause();
      await show();
      return messenger.readVoterRights(...given);
    };
    await advance({ messenger: { ...messenger, readVoterRights } });
    expect((await read(waiting)).state).toBe('awaiting_approval');
    expect(await shown()).toMatch(/paused sending .+, so nobody can decide .+\(1 of 1: .*UANA/);
    // Longer than an approved request waits for its call.
    pass(TIMINGS.expiresAfterMs + MINUTE);
    await advance();
    await resume();
    pass(MINUTE);
    await advance();
    expect(calls).toHaveLength(1);
  });

  test('approvals whose confirmation takes until the time for approval is over decide nevertheless', async () => {
    const waiting = waitingRecord(PEOPLE);
    const { pause, show, advance, vote, pass, read, deps } = await setUp(waiting);
    await advance();
    await vote('UANA');
    const { messenger } = deps();
    pass(PEOPLE.expiresAfterMs - MINUTE / 2);
    const readVoterRights: typeof messenger.readVoterRights = async (...given) => {
      await pause();
      await show();
      pass(MINUTE / 2);
      return messenger.readVoterRights(...given);
    };
    await advance({ messenger: { ...messenger, readVoterRights } });
    expect((await read(waiting)).state).toBe('queued');
  });

  test('a problem of the storage holds the call back, too', async () => {
    const { advance, calls } = await setUp();
    const inForce = () => Promise.reject(new Error('storage away'));
    await expect(advance({ inForce })).rejects.toThrow('storage away');
    expect(calls).toEqual([]);
  });
});

describe('the cards of requests that wait', () => {
  test('say that sending is paused, and that it goes on, also where nothing of them is due', async () => {
    const waiting = waitingRecord(PEOPLE);
    const { pause, resume, show, advance, woken, shown } = await setUp(waiting);
    await advance();
    await pause();
    await show();
    expect(woken).toEqual([waiting.id]);
    expect(await shown()).toMatch(
      /UOLGA> paused sending .+, so nobody can decide until an admin resumes it\. Waiting for .+ \(0 of 1\)\. Expires/,
    );
    await show();
    expect(woken).toHaveLength(1);
    await resume();
    await show();
    expect(woken).toHaveLength(2);
    expect(await shown()).not.toContain(PAUSED);
  });

  test('are all reached, however many there are, and no other', async () => {
    const { pause, show, create, woken } = await setUp();
    const ids = Array.from({ length: 120 }, (_, n) => `r${n}`);
    for (const id of ids) await create({ ...queued({ id, target: `B-${id}` }) });
    await create({ ...queued({ id: 'ended', target: 'C' }), state: 'withdrawn' });
    await create({ ...queued({ id: 'theirs', target: 'D', workspace: 'T2' }) });
    await pause();
    await show();
    expect(woken.sort()).toEqual([...ids, queued().id].sort());
  });

  test('show a pause that ended meanwhile only until the next look', async () => {
    const { pause, resume, advance, read } = await setUp();
    await pause();
    await advance();
    await resume();
    const next = nextEffect(await read(), T0);
    expect(next).toEqual({ type: 'effect', effect: { type: 'check_pause' } });
  });
});
