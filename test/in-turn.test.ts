import { expect, test } from 'vitest';
import { createEventsInTurn, sharingNext } from '../src/in-turn.ts';
import { collectGarbage } from './support/collect-garbage.ts';

/** Begins events that end when they are released. */
function held() {
  const inTurn = createEventsInTurn();
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const apply = (workspace: string, subject: string, name = subject) =>
    inTurn.run({ workspace, subject }, async () => {
      order.push(name);
      await promise;
      order.push(`${name} done`);
      return 'applied' as const;
    });
  return { apply, order, release: resolve };
}

test('events of one order are applied one after another, those of others meanwhile', async () => {
  const { apply, order, release } = held();
  const all = [
    apply('T1', 'A-1', 'first'),
    apply('T1', 'A-1', 'second'),
    apply('T1', 'A-2'),
    apply('T2', 'A-1', 'theirs'),
  ];
  expect(order).toEqual(['first', 'A-2', 'theirs']);
  release();
  await Promise.all(all);
  expect(order.indexOf('second')).toBeGreaterThan(order.indexOf('first done'));
});

test('an event that fails does not keep the next one from its turn', async () => {
  const inTurn = createEventsInTurn();
  const about = { workspace: 'T1', subject: 'A-1' };
  const failing = inTurn.run(about, () => Promise.reject(new Error('storage away')));
  const next = inTurn.run(about, async () => 'applied');
  await expect(failing).rejects.toThrow('storage away');
  expect(await next).toBe('applied');
});

test('a hundred events may wait for one order, and there is room again once they are applied', async () => {
  const { apply, release } = held();
  const taken = Array.from({ length: 101 }, () => apply('T1', 'A-1'));
  expect(await apply('T1', 'A-1')).toBe('too_many');
  expect(await Promise.race([apply('T1', 'A-2'), Promise.resolve('taken')])).toBe('taken');
  release();
  expect(new Set(await Promise.all(taken))).toEqual(new Set(['applied']));
  expect(await apply('T1', 'A-1')).toBe('applied');
});

test('two hundred events of a workspace may be under way, and another workspace is not held up', async () => {
  const { apply, release } = held();
  const taken = Array.from({ length: 200 }, (_, n) => apply('T1', `A-${n}`));
  expect(await apply('T1', 'A-999')).toBe('too_many');
  expect(await apply('T1', 'A-1')).toBe('too_many');
  const theirs = [apply('T2', 'A-1'), apply('T2', 'A-1')];
  release();
  expect(new Set(await Promise.all([...taken, ...theirs]))).toEqual(new Set(['applied']));
  expect(await apply('T1', 'A-999')).toBe('applied');
});

test('an event that fails gives its place back', async () => {
  const inTurn = createEventsInTurn();
  const failing = Array.from({ length: 200 }, (_, n) =>
    inTurn.run({ workspace: 'T1', subject: `A-${n}` }, () => Promise.reject(new Error('storage away'))),
  );
  await Promise.allSettled(failing);
  expect(await inTurn.run({ workspace: 'T1', subject: 'A-1' }, async () => 'applied')).toBe('applied');
});

test('nothing is kept about an order whose events were all applied', async () => {
  const inTurn = createEventsInTurn();
  const heap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const apply = (n: number) => inTurn.run({ workspace: 'T1', subject: `A-${n}` }, async () => n);
  const before = heap();
  for (let n = 0; n < 5_000; n++) await apply(n);
  const kept = heap() - before;
  // Used once more, so that it was not collected itself.
  expect(await apply(0)).toBe(0);
  expect(kept).toBeLessThan(2_000_000);
});

test('many calls during a run lead to one more run after it, and a run that fails fails for its own callers alone', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  const share = sharingNext(() => gates[begun++]?.promise ?? Promise.resolve());
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  const first = share();
  await turns();
  const second = [share(), share()];
  await turns();
  expect(begun).toBe(1);
  gates[0]?.reject(new Error('first'));
  await expect(first).rejects.toThrow('first');
  await turns();
  expect(begun).toBe(2);
  const third = share();
  gates[1]?.resolve();
  gates[2]?.resolve();
  await Promise.all([...second, third]);
  expect(begun).toBe(3);
});
