import { expect, test } from 'vitest';
import { type Tidy, tidyAt } from '../../src/outbox/delivery.ts';
import { outcomeOf } from '../../src/outbox/record-type.ts';

const tidy = (more: Partial<Tidy>): Tidy => ({ since: 0, until: 0, tries: 0, notBefore: 0, ...more });

test('copies are tidied for each place: a destination and a thread', () => {
  const [direct, thread] = [tidy({ to: 'requester' }), tidy({ to: 'thread', thread: '1.0' })];
  const owed = [direct, thread];
  expect(tidyAt(owed, { to: 'requester', thread: undefined })).toBe(direct);
  expect(tidyAt(owed, { to: 'thread', thread: '1.0' })).toBe(thread);
  expect(tidyAt(owed, { to: 'thread', thread: '2.0' })).toBeUndefined();
  expect(tidyAt(owed, { to: undefined, thread: undefined })).toBeUndefined();
});

test('the logged outcome of an effect has a code only if Slack gave one', () => {
  expect(outcomeOf({ type: 'posted' })).toEqual({ result: 'posted' });
  expect(outcomeOf({ type: 'refused', code: 'is_archived' })).toEqual({
    result: 'refused',
    code: 'is_archived',
  });
  expect(outcomeOf({ type: 'tidied', removed: 1, linked: 0 })).toEqual({
    result: 'tidied',
    removed: 1,
    linked: 0,
  });
});
