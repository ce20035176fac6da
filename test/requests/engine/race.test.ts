import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AdvanceDeps, advance } from '../../../src/requests/engine/advance.ts';
import type { Delivery } from '../../../src/requests/model/delivery.ts';
import { nextAct, TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { createGates, type Gates, settle } from '../../support/gates.ts';
import { event, queued, said, T0 } from '../../support/records.ts';
import { createWorld, type Fate } from '../../support/world.ts';

type World = ReturnType<typeof createWorld>;

function processOf(world: World, owner: string, { gated }: Gates): AdvanceDeps {
  const { messenger, calls, ...rest } = world.deps();
  return {
    ...rest,
    owner,
    store: { ...world.store, get: gated(world.store.get), update: gated(world.store.update) },
    calls: { carryOut: gated(calls.carryOut) },
    messenger: {
      post: gated(messenger.post),
      update: gated(messenger.update),
      readReactions: gated(messenger.readReactions),
      readVoterRights: gated(messenger.readVoterRights),
      find: gated(messenger.find),
      tidy: gated(messenger.tidy),
      remove: gated(messenger.remove),
    },
  };
}

async function race(fates: Fate[], choices: number[]): Promise<{ world: World; record: RequestRecord }> {
  const world = createWorld({ answer: said('pending', T0), fates });
  await world.ask();
  const gates = createGates();
  const running = new Set<string>();
  const start = async (owner: string) => {
    running.add(owner);
    await advance(processOf(world, owner, gates), queued());
    running.delete(owner);
  };

  for (const [i, choice] of choices.entries()) {
    if (running.size < 2) void start(`process ${i}`);
    await settle();
    meanwhile(world, choice, i);
    gates.open(choice);
  }
  // From here on nothing is frozen any more.
  for (let rounds = 0; rounds < 20_000; rounds++) {
    if (running.size === 0 && !passToNext(world, await world.read())) break;
    if (running.size === 0) void start(`last ${rounds}`);
    await settle();
    gates.open(0);
  }
  return { world, record: await world.read() };
}

/** A while passes, or the service has something to say. */
function meanwhile(world: World, choice: number, i: number): void {
  if (choice < 50) world.pass(5_000);
  else if (choice < 100) world.pass(TIMINGS.claimMs + 1);
  else if (choice < 110) {
    const status = choice % 2 === 0 ? 'approved' : 'denied';
    void world.hear(event({ status, createdAt: T0, updatedAt: T0 + i }));
  }
}

/** Lets time pass until the record owes something; false where it never will. */
function passToNext(world: World, record: RequestRecord): boolean {
  const next = nextAct(record, world.now(), TIMINGS);
  if (next.type === 'wait') world.pass((next.until ?? world.now()) - world.now());
  return next.type !== 'nothing';
}

const stands = (world: World, delivery: Delivery) =>
  delivery.status === 'posted' && world.slack.some(({ ts }) => ts === delivery.ts);

test('two processes that freeze at any instant make one call, one card and one reply a step', {
  timeout: 120_000,
}, async () => {
  const fates = fc.array(
    fc.constantFrom<Fate>(
      'works',
      'works',
      'works',
      'fails_after',
      'fails_after',
      'fails_before',
      'appears_late',
      'not_sent',
    ),
    {
      maxLength: 30,
      size: 'max',
    },
  );
  const choices = fc.array(fc.nat(999), { minLength: 50, maxLength: 400, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fates, choices, async (given, chosen) => {
      const { world, record } = await race(given, chosen);
      expect(world.calls.length).toBeLessThanOrEqual(1);
      expect(world.doubled()).toEqual([]);
      for (const { reply } of record.steps) {
        if (reply) expect(stands(world, reply.delivery)).toBe(true);
      }
      // A request that was frozen past its end never needed a card.
      if (record.state !== 'expired') expect(stands(world, record.card.delivery)).toBe(true);
    }),
    { numRuns: 600 },
  );
});
