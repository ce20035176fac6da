import { describe, expect, test } from 'vitest';
import { createConnectionsHarness } from '../../support/requests/connections-harness.ts';

const first = { workspace: 'T1', generation: 'g1' };
const second = { workspace: 'T1', generation: 'g2' };
const other = { workspace: 'T2', generation: 'g1' };

describe('what is seen of a connection', () => {
  test('is shown with its time', async () => {
    const { connectionHealth, clock } = createConnectionsHarness();
    await connectionHealth.record('call', first);
    clock.now += 5;
    await connectionHealth.record('event', first);
    expect(await connectionHealth.last('call', first)).toBe(clock.now - 5);
    expect(await connectionHealth.last('event', first)).toBe(clock.now);
  });

  test('is never shown of another connection, or of another workspace', async () => {
    const { connectionHealth } = createConnectionsHarness();
    await connectionHealth.record('call', first);
    for (const each of [second, other]) expect(await connectionHealth.last('call', each)).toBeUndefined();
  });

  test('is written once a minute, and at once for a new connection', async () => {
    const { connectionHealth, observed, clock } = createConnectionsHarness();
    let writes = 0;
    const { set } = observed.event;
    observed.event.set = (...args: Parameters<typeof set>) => {
      writes += 1;
      return set.apply(observed.event, args);
    };
    for (let i = 0; i < 100; i++) await connectionHealth.record('event', first);
    expect(writes).toBe(1);
    await connectionHealth.record('event', second);
    expect(writes).toBe(2);
    clock.now += 60_000;
    await connectionHealth.record('event', second);
    expect([writes, await connectionHealth.last('event', second)]).toEqual([3, clock.now]);
  });

  test('is of now once a clock that was ahead is set', async () => {
    const { connectionHealth, clock } = createConnectionsHarness();
    clock.now += 86_400_000;
    await connectionHealth.record('event', first);
    clock.now -= 86_400_000;
    await connectionHealth.record('event', first);
    expect(await connectionHealth.last('event', first)).toBe(clock.now);
  });

  test('is gone once the workspace is forgotten, and nothing else is', async () => {
    const { connectionHealth, rows } = createConnectionsHarness();
    for (const each of [first, other]) {
      await connectionHealth.record('call', each);
      await connectionHealth.record('event', each);
    }
    await connectionHealth.forget('T1');
    expect(rows()).not.toContain('T1');
    expect(await connectionHealth.last('event', other)).toBeDefined();
  });

  test('that cannot be read any more is nothing that was seen', async () => {
    const { connectionHealth, observed } = createConnectionsHarness();
    await observed.event.set('T1', 'yesterday');
    expect(await connectionHealth.last('event', first)).toBeUndefined();
  });
});
