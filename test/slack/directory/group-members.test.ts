import { expect, test } from 'vitest';
import { createGroupMembers } from '../../../src/slack/directory/remembered.ts';

/** A group whose members the test supplies, query by query. */
function open() {
  const questions: PromiseWithResolvers<readonly string[] | undefined>[] = [];
  let now = 1_700_000_000_000;
  const fetchMembers = () => {
    const question = Promise.withResolvers<readonly string[] | undefined>();
    questions.push(question);
    return question.promise;
  };
  const members = createGroupMembers(() => now, fetchMembers);
  return {
    questions,
    isIn: (user: string, age?: 'remembered') => members.isInGroup('T1', 'S1', user, age),
    list: (age: 'remembered' | 'now' = 'now') => members.list('T1', 'S1', age),
    readNow: () => members.readNow('T1', 'S1'),
    pass: (ms: number) => {
      now += ms;
    },
    forget: (group = 'S1') => members.forget('T1', group),
  };
}

test('what was known of a group is asked anew once it is forgotten, and not before', async () => {
  const { questions, isIn, forget } = open();
  const first = isIn('ana');
  questions[0]?.resolve(['ana']);
  expect(await first).toBe(true);
  forget('S2');
  expect(await isIn('ana')).toBe(true);
  forget();
  const second = isIn('ana');
  questions[1]?.resolve([]);
  expect(await second).toBe(false);
  expect(questions).toHaveLength(2);
});

test('an answer that was under way when a group changed is kept for nobody', async () => {
  const { questions, isIn, forget } = open();
  const before = isIn('ana');
  forget();
  const after = isIn('ana');
  // The older answer comes last.
  questions[1]?.resolve([]);
  expect(await after).toBe(false);
  questions[0]?.resolve(['ana']);
  expect(await before).toBe(true);
  const later = isIn('ana');
  questions[2]?.resolve([]);
  expect(await later).toBe(false);
});

test('a list that a decision was reading when a group changed is kept for nobody', async () => {
  const { questions, list, readNow, forget } = open();
  const decision = readNow();
  forget();
  questions[0]?.resolve(['ana', 'ben']);
  expect(await decision).toEqual(['ana', 'ben']);
  const later = list('remembered');
  questions[1]?.resolve(['ana']);
  expect(await later).toEqual(['ana']);
});

test('all who ask about a group at the same moment share one call to Slack', async () => {
  const { questions, isIn } = open();
  const both = Promise.all([isIn('ana'), isIn('ben')]);
  questions[0]?.resolve(['ben']);
  expect(await both).toEqual([false, true]);
  expect(questions).toHaveLength(1);
});

test.each([
  ['a group', ['cara']],
  ['a group that is gone', undefined],
])(
  'however many people look at something that depends on %s, one read a minute tells',
  async (_name, list) => {
    const { questions, isIn, pass, forget } = open();
    const first = isIn('agent0', 'remembered');
    questions[0]?.resolve(list);
    const isMember = list && false;
    expect(await first).toBe(isMember);
    for (let n = 1; n <= 25; n++) {
      pass(2_000);
      expect(await isIn(`agent${n}`, 'remembered')).toBe(isMember);
    }
    expect(questions).toHaveLength(1);
    // Where it decides, and once Slack reports a change, it is read again.
    const decided = isIn('agent1');
    questions[1]?.resolve(['agent1']);
    expect(await decided).toBe(true);
    forget();
    const changed = isIn('agent1', 'remembered');
    questions[2]?.resolve([]);
    expect(await changed).toBe(false);
  },
);

test('for a decision a list is read now, whatever is remembered; who else decides within a moment shares it', async () => {
  const { questions, isIn, readNow, pass } = open();
  const early = isIn('ana');
  questions[0]?.resolve(['ana']);
  expect(await early).toBe(true);
  const both = Promise.all([readNow(), readNow()]);
  questions[1]?.resolve(['ben']);
  expect(await both).toEqual([['ben'], ['ben']]);
  pass(2_999);
  expect(await readNow()).toEqual(['ben']);
  pass(1);
  const next = readNow();
  questions[2]?.resolve(['cleo']);
  expect(await next).toEqual(['cleo']);
});

test('what was read for a decision takes the place of what was remembered', async () => {
  const { questions, isIn, readNow } = open();
  const early = isIn('ana');
  questions[0]?.resolve(['ana']);
  expect(await early).toBe(true);
  const read = readNow();
  questions[1]?.resolve([]);
  expect(await read).toEqual([]);
  const later = isIn('ana');
  questions[2]?.resolve([]);
  expect(await later).toBe(false);
});

test('a group that has changed is read anew for the next decision', async () => {
  const { questions, readNow, forget } = open();
  const first = readNow();
  questions[0]?.resolve(['ana']);
  expect(await first).toEqual(['ana']);
  forget();
  const second = readNow();
  questions[1]?.resolve([]);
  expect(await second).toEqual([]);
});

test('a list that was read for a form is read anew for a decision', async () => {
  const { questions, list, readNow } = open();
  const form = list();
  questions[0]?.resolve(['ana']);
  expect(await form).toEqual(['ana']);
  const decision = readNow();
  questions[1]?.resolve([]);
  expect(await decision).toEqual([]);
});

test('whoever was not in a group is not asked about again for a while, unless Slack tells that the group has changed', async () => {
  const { questions, isIn, pass, forget } = open();
  const first = isIn('ben');
  questions[0]?.resolve(['ana']);
  expect(await first).toBe(false);
  expect(await isIn('ben')).toBe(false);
  expect(questions).toHaveLength(1);
  forget();
  const answer = isIn('ben');
  questions[1]?.resolve([]);
  expect(await answer).toBe(false);
  pass(9_999);
  const still = isIn('ben');
  expect(questions).toHaveLength(2);
  expect(await still).toBe(false);
  pass(2);
  const later = isIn('ben');
  questions[2]?.resolve(['ben']);
  expect(await later).toBe(true);
});

test('whoever was not in the answer that was under way when a group changed is asked about again', async () => {
  const { questions, isIn, forget } = open();
  const before = isIn('ben');
  forget();
  questions[0]?.resolve(['ana']);
  expect(await before).toBe(false);
  const later = isIn('ben');
  questions[1]?.resolve(['ana', 'ben']);
  expect(await later).toBe(true);
});

test('a list is as old as its question, for a process that was frozen before it read the answer', async () => {
  const { questions, isIn, list, readNow, pass } = open();
  for (const ask of [list, readNow]) {
    const under = ask();
    pass(400_000);
    const joining = isIn('ana');
    questions.at(-2)?.resolve(['ana']);
    await under;
    const next = isIn('ana');
    questions.at(-1)?.resolve([]);
    expect(await Promise.all([joining, next])).toEqual([false, false]);
    pass(60_000);
  }
});

test('a list of the last minute serves those whom it suffices, until it is older or the group changes', async () => {
  const { questions, list, pass, forget } = open();
  const first = list('remembered');
  questions[0]?.resolve(['ana']);
  expect(await first).toEqual(['ana']);
  pass(59_000);
  expect(await list('remembered')).toEqual(['ana']);
  const now = list();
  questions[1]?.resolve(['ben']);
  expect(await now).toEqual(['ben']);
  expect(await list('remembered')).toEqual(['ben']);
  pass(60_001);
  const later = list('remembered');
  questions[2]?.resolve(['cara']);
  expect(await later).toEqual(['cara']);
  forget();
  const changed = list('remembered');
  questions[3]?.resolve([]);
  expect(await changed).toEqual([]);
  expect(questions).toHaveLength(4);
});
