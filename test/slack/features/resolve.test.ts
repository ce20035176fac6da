/** The form "Record the outcome" or "Correct the outcome": whom it opens for, and what it offers them. */
import type { types } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { newerCalled } from '../../../src/requests/use-cases/same-target.ts';
import { findWithRoles } from '../../../src/requests/use-cases/who-may.ts';
import { CLICKED, refOf, refTo } from '../../../src/slack/blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../../src/slack/blocks/ids.ts';
import { RECORD_OUTCOME } from '../../../src/slack/features/record-outcome.ts';
import { RETRY, resolve, WITHDRAW } from '../../../src/slack/features/resolve.ts';
import type { ListenerDeps } from '../../../src/slack/listeners/listener.ts';
import type { RequestClick } from '../../../src/slack/listeners/modals.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, said, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

type Given = NonNullable<Parameters<typeof createWorkspace>[0]>;

const unknown = (more: Partial<RequestRecord> = {}): RequestRecord => ({
  ...answered({ type: 'no_answer', why: 'cut' }),
  ...more,
});

/** A request whose outcome, or review, a person has recorded. */
function recorded(
  action: 'approved' | 'sent' | 'in_review',
  more: Partial<RequestRecord> = {},
): RequestRecord {
  const record = transition(unknown(more), { type: 'person', by: 'U1', action }, T0);
  if (!record) throw new Error('nothing was recorded');
  return record;
}

/** Opens a form for a person, and reads it. */
async function open(
  by: string,
  record: RequestRecord,
  {
    others = [],
    form = RECORD_OUTCOME,
    ...given
  }: Given & { others?: RequestRecord[]; form?: typeof WITHDRAW } = {},
) {
  const { deps, seed, state } = createWorkspace(given);
  await seed(record, ...others);
  const listening = {
    findWithRoles: (who: Parameters<typeof findWithRoles>[1]) => findWithRoles(deps, who),
    newerCalled: (of: RequestRecord) => newerCalled(deps, of),
    links: { toCard: async () => 'https://acme.slack.com/archives/C1/p2' },
    settings: async () => state.settings,
  } as unknown as ListenerDeps;
  const who = { workspace: record.workspace, id: record.id, by };
  return JSON.stringify(await form.fill(listening, { who } as RequestClick));
}

describe('while Slack cannot say who is in the group of the admins, the form', () => {
  const given: Given = { company: { isOrgWide: true, unsaid: ['S2'] }, settings: { admins: 'S2' } };
  const record = unknown({ approval: waitingRecord().approval });

  test.each(['U1', 'UANA'])('opens for %s with what they may record anyway', async (by) => {
    const shown = await open(by, record, given);
    expect(shown).toContain('Not cancelled');
    expect(shown).not.toContain('Close the request without an outcome');
  });

  test('offers an admin of the organization everything', async () => {
    expect(await open('UADMIN', record, given)).toContain('Close the request without an outcome');
  });

  test('tells nobody that they may not record it', async () => {
    await expect(open('UOTHER', record, given)).rejects.toThrow('lists no members');
  });
});

test('closing a request that does not hold its order does not promise that a new one can be made', async () => {
  const promise = 'This request ends, and a new one can be made.';
  expect(await open('UADMIN', unknown())).toContain(promise);
  const beside = await open('UADMIN', unknown({ holdsSlot: false }));
  expect(beside).toContain('This request ends, and nothing is sent.');
  expect(beside).not.toContain(promise);
});

describe('the form of an outcome that a person has recorded', () => {
  test('is called a correction also where it is refused', async () => {
    const shown = await open('UOTHER', recorded('approved'));
    expect(shown).toContain('"text":"Correct the outcome"');
    expect(shown).toContain(
      'Only admins can correct the outcome of this request. Nothing was changed. Ask one of them.',
    );
    expect(await open('UOTHER', unknown())).toContain('"text":"Record the outcome"');
  });

  test('is no correction where only a review was recorded, which an outcome does not contradict', async () => {
    const shown = await open('UADMIN', recorded('in_review'));
    expect(shown).toContain('"text":"Record the outcome?"');
    expect(shown).not.toContain('This replaces the recorded outcome');
  });

  const newer = (kind: RequestRecord['kind'], target: string): RequestRecord => ({
    ...answered(said('canceled'), { kind, target, id: 'newer' }),
    createdAt: T0 + 1,
  });

  test('of an offer leads to the newer request, which leaves nothing to correct', async () => {
    const offer = recorded('sent', { kind: 'send_offer', target: 'O-1' });
    expect(await open('UADMIN', offer)).toContain('Not received');
    const shown = await open('UADMIN', offer, { others: [newer('cancel_offer', 'O-1')] });
    expect(shown).toContain('There is a newer request to cancel offer O-1, so nothing was recorded here.');
    expect(shown).toContain('Open its thread');
    expect(shown).not.toContain('Not received');
  });

  test('of an order offers what a newer request leaves to correct', async () => {
    const order = recorded('approved');
    const shown = await open('UADMIN', order, { others: [newer('cancel_order', order.target)] });
    expect(shown).toContain('Not cancelled');
    expect(shown).not.toContain('Not received');
  });
});

describe('a form that only asks', () => {
  const failed = answered({
    type: 'refused',
    code: 'FORBIDDEN',
    message: '',
    details: [],
    httpStatus: 403,
  });

  test.each([
    [
      'Withdraw',
      'the requester',
      waitingRecord().requester,
      WITHDRAW,
      waitingRecord(),
      '"callback_id":"withdraw"',
    ],
    ['Withdraw', 'an admin', 'UADMIN', WITHDRAW, waitingRecord(), '"callback_id":"withdraw"'],
    ['Withdraw', 'nobody else', 'UOTHER', WITHDRAW, waitingRecord(), 'can withdraw this request'],
    [
      'Withdraw',
      'nobody once the request has ended',
      failed.requester,
      WITHDRAW,
      failed,
      '*Not withdrawn*, because the request has failed',
    ],
    [
      'Retry',
      'everybody: the submission is refused who may not',
      'UOTHER',
      RETRY,
      failed,
      '"callback_id":"retry"',
    ],
    [
      'Retry',
      'nobody while the request waits',
      waitingRecord().requester,
      RETRY,
      waitingRecord(),
      '*Not retried*, because the request awaits approval',
    ],
  ])('%s opens for %s', async (_form, _whom, by, form, record, text) => {
    expect(await open(by, record, { form })).toContain(text);
  });
});

describe('a Retry of what another request has done', () => {
  const failed = answered({ type: 'refused', code: 'FORBIDDEN', details: [], httpStatus: 403 });
  const done = { ...answered(said('canceled')), id: 'done' };

  /** Retries by button or by form. @param acknowledged the warning that the form has shown. `opens`: whether Slack opens a form */
  async function retried(by: 'button' | 'form', acknowledged?: string, { opens = true } = {}) {
    const asked: { acknowledged?: string }[] = [];
    const opened: unknown[] = [];
    const said: { text: string }[] = [];
    const respond = async (answer: { text: string }) => void said.push(answer);
    const show = async (answer?: { view?: types.ModalView }) => void opened.push(answer?.view);
    const late = () => Promise.reject(new Error('expired_trigger_id'));
    const client = { views: { open: opens ? show : late } };
    const deps = {
      async resolveManually(who: { acknowledged?: string }) {
        asked.push(who);
        const isKnown = who.acknowledged === 'done_before done';
        return isKnown ? { type: 'done', record: failed } : { type: 'done_before', record: failed, by: done };
      },
      links: { toCard: async () => 'https://acme.slack.com/archives/C1/p2' },
      after: () => () => {},
      log: SILENT,
    } as unknown as ListenerDeps;
    const { actions, views } = resolve(deps);
    const body = { user: { id: 'U1' }, trigger_id: '1.1.a' };
    const shared = { client, body, respond, context: { teamId: 'T1' } };
    const action = { value: refOf(failed), action_ts: '1.5' };
    const ack = async () => {};
    if (by === 'button') await actions?.[ACTIONS.retry]?.({ ...shared, ack, action } as never);
    const clicked = CLICKED.write({ ref: refTo(failed), moment: 1_500_000 });
    const private_metadata = acknowledged ? `${clicked}\n${acknowledged}` : clicked;
    const view = { title: { text: 'Retry' }, private_metadata, state: { values: {} }, id: 'V1' };
    if (by === 'form') await views?.[CALLBACKS.retry]?.({ ...shared, ack: show, view } as never);
    return { asked, said, shown: JSON.stringify(opened), metadata: private_metadata };
  }

  test.each(['button', 'form'] as const)('by %s shows the warning in a form, which names it', async (by) => {
    const { shown, metadata } = await retried(by);
    expect(shown).toContain('There was already another request to cancel order A-1001.');
    expect(shown).toContain('<https://acme.slack.com/archives/C1/p2|Open its thread>');
    expect(shown).toContain('"text":"Retry anyway"');
    expect(shown).toContain(JSON.stringify(`${metadata}\ndone_before done`).slice(1, -1));
  });

  test('by button is answered with the warning, and with the way on, if its form does not open', async () => {
    const { said } = await retried('button', undefined, { opens: false });
    expect(said).toMatchObject([{ response_type: 'ephemeral', replace_original: false }]);
    expect(said[0]?.text).toMatch(
      /There was already another request to cancel order A-1001\..*Open its thread/s,
    );
    expect(said[0]?.text).toContain(
      `To send it all the same, choose *Retry* in \`/countermand history ${failed.id}\`.`,
    );
  });

  test('is done if the person submits that form', async () => {
    const acknowledged = 'done_before done';
    const { asked, shown } = await retried('form', acknowledged);
    expect(asked).toMatchObject([{ acknowledged, seen: { state: 'failed' }, moment: 1_500_000 }]);
    expect(shown).not.toContain('Retry anyway');
  });
});

describe('the words of the order service about a request', () => {
  const request = answered({
    type: 'no_answer',
    why: 'server_error',
    httpStatus: 500,
    message: 'Jane is ill',
    details: [],
  });

  /** How many answers to a Retry, by button and form, tell somebody the words. */
  async function told(user: string, result: object) {
    const links = { toCard: async () => undefined };
    const deps = { resolveManually: async () => result, links } as unknown as ListenerDeps;
    const { actions, views } = resolve(deps);
    const said: unknown[] = [];
    const say = async (answer?: unknown) => void said.push(answer);
    const shared = { ack: say, respond: say, body: { user: { id: user } }, context: { teamId: 'T1' } };
    await actions?.[ACTIONS.retry]?.({ ...shared, action: { value: refOf(request) } } as never);
    const private_metadata = CLICKED.write({ ref: refTo(request), moment: 1 });
    const view = { title: { text: 'Retry?' }, private_metadata, state: { values: {} }, id: 'V1' };
    await views?.[CALLBACKS.retry]?.({ ...shared, view } as never);
    return said.filter((answer) => JSON.stringify(answer)?.includes('Jane is ill')).length;
  }

  test('that is in the way of a Retry are told only to its requester, by button and form', async () => {
    const result = { type: 'slot_taken', by: request, action: 'retry' };
    expect(await told(request.requester, result)).toBe(2);
    expect(await told('UOTHER', result)).toBe(0);
  });

  test('that a form has retried are told only to its requester, if Slack delivers the form again', async () => {
    const result = { type: 'done', record: request };
    expect(await told(request.requester, result)).toBe(1);
    expect(await told('UOTHER', result)).toBe(0);
  });
});
