import { describe, expect, test } from 'vitest';
import { connectionsDesk } from '../../support/connections.ts';

const first = { workspace: 'T1', generation: 'g1' };
const second = { workspace: 'T1', generation: 'g2' };
const other = { workspace: 'T2', generation: 'g1' };

describe('what is seen of a connection', () => {
  test('is shown with its time', async () => {
    const { sightings, clock } = connectionsDesk();
    await sightings.note('call', first);
    clock.now += 5;
    await sightings.note('event', first);
    expect(await sightings.last('call', first)).toBe(clock.now - 5);
    expect(await sightings.last('event', first)).toBe(clock.now);
    expect(await sightings.last('refusal', first)).toBeUndefined();
  });

  test('is never shown of another connection, or of another workspace', async () => {
    const { sightings } = connectionsDesk();
    await sightings.note('call', first);
    await sightings.markRefused(first);
    for (const of of [second, other]) {
      expect(await sightings.last('call', of)).toBeUndefined();
      expect(await sightings.last('refusal', of)).toBeUndefined();
    }
  });

  test('is written once a minute, and at once for a new connection', async () => {
    const { sightings, sighted, clock } = connectionsDesk();
    let writes = 0;
    const { set } = sighted.event;
    sighted.event.set = (...args: Parameters<typeof set>) => {
      writes += 1;
      return set.apply(sighted.event, args);
    };
    for (let i = 0; i < 100; i++) await sightings.note('event', first);
    expect(writes).toBe(1);
    await sightings.note('event', second);
    expect(writes).toBe(2);
    clock.now += 60_000;
    await sightings.note('event', second);
    expect([writes, await sightings.last('event', second)]).toEqual([3, clock.now]);
  });

  test('is gone once the workspace is forgotten, and nothing else is', async () => {
    const { sightings, rows } = connectionsDesk();
    for (const of of [first, other]) {
      await sightings.note('call', of);
      await sightings.note('event', of);
      await sightings.markRefused(of);
    }
    await sightings.forget('T1');
    expect(rows()).not.toContain('T1');
    expect(await sightings.last('refusal', other)).toBeDefined();
  });

  test('that cannot be read any more is nothing that was seen', async () => {
    const { sightings, sighted } = connectionsDesk();
    await sighted.event.set('T1', 'yesterday');
    expect(await sightings.last('event', first)).toBeUndefined();
  });
});
