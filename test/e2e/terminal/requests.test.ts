/** `countermand requests` and `countermand audit`, beside a bot that runs. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { TERMINAL } from '../../../src/requests/model/audit-entry.ts';
import type { Kind } from '../../../src/requests/model/kinds.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { auditEntry } from '../../../src/requests/store/audit-trail.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { POLICY } from '../../support/e2e/approvals.ts';
import { besideBot, failedRequest, IN } from '../../support/e2e/terminal.ts';
import { REQUEST } from '../../support/requests/records.ts';
import { eventually } from '../../support/time/eventually.ts';

const { ana, olga } = SEED.users;

describe('countermand requests', () => {
  test('list and show tell what became of a request, for people and for programs', async () => {
    const { run, id } = await failedRequest('Ordered \u001b[31mtwice\u0007');
    const list = (...more: string[]) => run(['requests', 'list', ...IN, ...more]);
    const line = new RegExp(
      `^${id}  2\\d{3}-\\S+Z  Cancel order A-1001 · Refused by the order service · ${ana}\\n$`,
    );
    const fitting = [
      ['--state', 'failed'],
      ['--kind', 'cancel_order'],
      ['--requester', ana],
      ['--target', 'A-1001'],
    ];
    for (const filter of [[], ...fitting]) expect((await list(...filter)).output).toMatch(line);
    const others = [
      ['--open'],
      ['--open', '--kind', 'cancel_order', '--target', 'A-1001'],
      ['--state', 'sent'],
      ['--requester', 'U0NOBODY'],
      ['--target', 'A-100'],
      ['--target', 'A-1001', '--requester', 'U0NOBODY'],
    ];
    for (const filter of others) {
      expect(await list(...filter)).toMatchObject({ code: 0, output: 'No request matches.\n' });
      expect(await list(...filter, '--json')).toMatchObject({ code: 0, output: '' });
    }
    const { output } = await run(['requests', 'show', id.toUpperCase(), ...IN]);
    expect(output).toMatch(/^Cancel order A-1001 · Refused by the order service\n/);
    expect(output).toContain('“Not now” (FORBIDDEN)');
    expect(output).toContain(`Requested by ${ana} in ${SEED.channels.support}`);
    expect(output).toMatch(/\nReason: Ordered .+twice/);
    expect(output).not.toMatch(/(?!\n)\p{Cc}|<@|&lt;|:x:/u);
    const json = await run(['requests', 'show', id, ...IN, '--json']);
    expect(JSON.parse(json.output)).toMatchObject({ id, state: 'failed', requester: ana });
  });

  test('list has the requests for an id, an order and an offer, the newest first', async () => {
    const { run, id, withStorage } = await failedRequest();
    const other = (name: string, kind: Kind, target: string) =>
      newRecord({ ...REQUEST, workspace: SEED.team, id: name, kind, target }, Date.now() + 60_000);
    const others = [other('offer', 'send_offer', 'a-1001'), other('another', 'cancel_order', 'A-1002')];
    await withStorage(({ storage }) =>
      Promise.all(others.map((each) => storage.requests.create(requestEntry(each, TIMINGS)))),
    );
    const ids = async (...filter: string[]) => {
      const { output } = await run(['requests', 'list', ...IN, '--target', 'A-1001', ...filter]);
      return output.split('\n').flatMap((line) => line.split(' ')[0] || []);
    };
    expect(await ids()).toEqual(['offer', id]);
    expect(await ids('--kind', 'cancel_order')).toEqual([id]);
    expect(await ids('--limit', '1')).toEqual(['offer', 'More']);
    expect(await ids('--limit', '2')).toEqual(['offer', id]);
  });

  test('list without a workspace has the newest requests of all workspaces, each with the name of its own', async () => {
    const { run, id, withStorage } = await failedRequest();
    const other = (workspace: string, name: string, at: number) =>
      requestEntry(newRecord({ ...REQUEST, workspace, id: name, target: `A\n${name}` }, at), TIMINGS);
    const others = [other('T0OTHER', 'newer', Date.now() + 60_000), other('T0THIRD', 'older', 1_000)];
    await withStorage(({ storage }) => Promise.all(others.map((each) => storage.requests.create(each))));
    const firsts = async (...filter: string[]) => {
      const { output } = await run(['requests', 'list', ...filter]);
      return output.split('\n').flatMap((line) => (line ? [line.split('  ').slice(0, 2).join(' ')] : []));
    };
    expect(await firsts()).toEqual(['T0OTHER newer', `${SEED.team} ${id}`, 'T0THIRD older']);
    const more = 'More requests match: use --limit.';
    expect(await firsts('--limit', '2')).toEqual(['T0OTHER newer', `${SEED.team} ${id}`, more]);
    expect(await firsts('--limit', '3')).toEqual(await firsts());
    expect(await firsts('--state', 'failed')).toEqual([`${SEED.team} ${id}`]);
    const [json = '', hint] = (await run(['requests', 'list', '--limit', '1', '--json'])).output.split('\n');
    expect(JSON.parse(json)).toMatchObject({ id: 'newer', workspace: 'T0OTHER' });
    expect(hint).toBe(more);
    expect(await run(['requests', 'list', '--state', 'sent'])).toMatchObject({
      code: 0,
      output: 'No request matches.\n',
    });
    expect(await run(['requests', 'list', '--workspace', ''])).toMatchObject({ code: 2 });
  });

  test('list tells how many have approved a request, and how many must: docs/running.md relies on it', async () => {
    const { run, withStorage } = await failedRequest();
    const waiting = newRecord({ ...REQUEST, workspace: 'T0OTHER' }, 1_000, { policy: POLICY, earlier: [] });
    const vote = { by: 'UANA', source: 'x', choice: 'yes' as const, addedAt: 2_000, removedAt: 0 };
    const takenBack = { ...vote, by: 'UBEN', removedAt: 3_000 };
    const voted = {
      ...waiting,
      ...(waiting.approval && { approval: { ...waiting.approval, votes: [vote, takenBack] } }),
    };
    await withStorage(({ storage }) => storage.requests.create(requestEntry(voted, TIMINGS)));
    const { output } = await run(['requests', 'list', '--state', 'awaiting_approval', '--limit', '1000']);
    expect(output).toContain(` · Awaiting approval (1 of ${POLICY.quorum}: UANA) · `);
  });

  test('retry sends it again, in the name of the operator', async () => {
    const { run, id, slack, service } = await failedRequest();
    const { code, output, logged } = await run(['requests', 'retry', id, ...IN]);
    expect(code).toBe(0);
    expect(output).toMatch(
      new RegExp(
        `^Cancel order A-1001: request ${id} is queued for the bot to send.\nIts card: https://acme-support\\S+\n$`,
      ),
    );
    expect(logged).toMatchObject([{ msg: 'request retried', request: id, user: TERMINAL }]);
    await slack.waitForMessage({
      channel: '#support',
      text: /^The operator asked for the request to be sent again/,
    });
    await slack.waitForMessage({ channel: '#support', text: /is cancelled/ });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
    const shown = await run(['requests', 'show', id, ...IN]);
    expect(shown.output).toContain(' The operator asked for the request to be sent again\n');
    const trail = await run(['audit', ...IN]);
    expect(trail.output).toMatch(new RegExp(`  terminal  retried  ${id} \\(cancel_order A-1001\\)`));
    const again = await run(['requests', 'retry', id, ...IN]);
    expect(again).toMatchObject({
      code: 1,
      output: expect.stringContaining('an outcome has been received or recorded'),
    });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('retry sends nothing that the order service would refuse again, and says so', async () => {
    const { run, slack, service } = await failedRequest();
    const body = { code: 'VALIDATION_ERROR', message: 'No such order' };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 400, body } });
    const ana = slack.person('ana');
    await ana.command('/cancel-order A-1002 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
    await slack.waitForMessage({ channel: '#support', text: /^Cancel order A-1002.*Refused/s });
    const [newest = ''] = (await run(['requests', 'list', ...IN, '--json'])).output.split('\n');
    const { id } = JSON.parse(newest);
    const { code, output } = await run(['requests', 'retry', id, ...IN]);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('was not retried, because the same would be refused again'),
    ]);
    expect((await run(['requests', 'show', id, ...IN])).output).not.toContain('too late');
  });

  test('retry sends nothing of a requester who was forgotten, and says so', async () => {
    const { run, id } = await failedRequest();
    const forget = ['forget-person', ana, ...IN];
    // Until its reply is posted, the request needs the person.
    await eventually(async () => expect((await run(forget)).code).toBe(0));
    const { code, output } = await run(['requests', 'retry', id, ...IN]);
    expect([code, output]).toEqual([1, expect.stringContaining('its requester was removed')]);
  });

  test('retry keeps to a pause, to the limit of requests and to who holds the order', async () => {
    const { run, id, slack, withStorage, service } = await failedRequest();
    const retry = () => run(['requests', 'retry', id, ...IN]);
    await withStorage(({ settings }) => settings.pause(SEED.team, { by: SEED.users.olga }));
    expect(await retry()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/because \w+ paused sending 2\d{3}-/),
    });
    await withStorage(({ settings }) => settings.resume(SEED.team, { by: SEED.users.olga }));
    const held = service.faults.schedule({ on: 'cancel_order', fault: { type: 'hold', when: 'before' } });
    const ben = slack.person('ben');
    await ben.command('/cancel-order A-1001 Mine', { channel: '#support' });
    await ben.waitForModal();
    await ben.submit();
    await held.reached;
    expect(await retry()).toMatchObject({ code: 1, output: expect.stringContaining('http') });
    held.release();
    await slack.waitForMessage({ channel: '#support', text: /is cancelled/ });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('retry sends what another request has done only with --anyway', async () => {
    const { run, id, slack, service } = await failedRequest();
    const ben = slack.person('ben');
    await ben.command('/cancel-order A-1001 Mine', { channel: '#support' });
    await ben.waitForModal();
    await ben.submit();
    await slack.waitForMessage({ channel: '#support', text: /is cancelled/ });
    const { code, output } = await run(['requests', 'retry', id, ...IN]);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^There was already another request to cancel order A-1001\..*To send it all the same, add --anyway\./s,
      ),
    ]);
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
    expect(await run(['requests', 'retry', id, ...IN, '--anyway'])).toMatchObject({ code: 0 });
    await slack.waitForMessage({
      channel: '#support',
      text: /When this was sent again, another request said/,
    });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(3);
  });

  test('retry asks for approval where a policy wants it: the operator approves nothing', async () => {
    const { run, id, slack, withStorage, service } = await failedRequest();
    await withStorage(({ settings }) =>
      settings.change(SEED.team, { requesters: SEED.groups.approvers, policies: { cancel_order: POLICY } }),
    );
    const { output } = await run(['requests', 'retry', id, ...IN, '--json']);
    expect(JSON.parse(output)).toEqual({ request: id, workspace: SEED.team, state: 'awaiting_approval' });
    // The operator who types it again reads what they would have read the first time.
    expect((await run(['requests', 'retry', id, ...IN])).output).toContain(
      `Cancel order A-1001: request ${id} awaits approval again. Nothing is sent until the approvers approve.\n`,
    );
    const target = ['--kind', 'cancel_order', '--target', 'A-1001'];
    for (const filter of [target, ['--requester', ana]])
      expect((await run(['requests', 'list', ...IN, '--open', ...filter])).output).toContain(id);
    await slack.waitForMessage({ channel: '#support', text: /^Cancel order A-1001.*Waiting for/s });
    await slack.waitForMessage({
      channel: '#support',
      text: /the operator wants to send this request again/,
    });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    const card = await slack.waitForMessage({ channel: '#support', text: /^Cancel order A-1001/ });
    await slack.person('cara').click('Approve', card);
    await slack.waitForMessage({ channel: '#support', text: /is cancelled/ });
  });

  test('retry says of a request that was approved before that it may be sent without asking the approvers', async () => {
    const { run, slack, withStorage, cancelOrder, shows, service } = await besideBot();
    await withStorage(({ settings }) => settings.change(SEED.team, { policies: { cancel_order: POLICY } }));
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await cancelOrder('A-1001');
    await slack.person('cara').click('Approve', await shows('A-1001', /Waiting for/));
    await shows('A-1001', /refused the request/);
    const { id } = JSON.parse((await run(['requests', 'list', ...IN, '--json'])).output);
    const { output } = await run(['requests', 'retry', id, ...IN]);
    expect(output).toContain(
      `Cancel order A-1001: request ${id} was approved before. If that approval still counts, the bot sends the request without asking the approvers again. Otherwise it asks them, and sends nothing until they approve.\n`,
    );
    await slack.waitForMessage({ channel: '#support', text: /Approved by .+ before/ });
    await slack.waitForMessage({ channel: '#support', text: /is cancelled/ });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
  });

  test('retry says of a request that awaits its first approval no more than that', async () => {
    const { run, withStorage, cancelOrder, shows, service } = await besideBot();
    await withStorage(({ settings }) => settings.change(SEED.team, { policies: { cancel_order: POLICY } }));
    await cancelOrder('A-1001');
    await shows('A-1001', /Waiting for/);
    const { id } = JSON.parse((await run(['requests', 'list', ...IN, '--json'])).output);
    const { code, output } = await run(['requests', 'retry', id, ...IN]);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Not retried, because the request awaits approval\. Waiting for/),
    ]);
    expect(service.calls({ operation: 'cancel_order' })).toEqual([]);
    const { lateActions } = JSON.parse((await run(['requests', 'show', id, ...IN, '--json'])).output);
    expect(lateActions, 'a command that does nothing leaves no trace in the history').toEqual([]);
  });

  test('names what it does not find or understand', async () => {
    const { run } = await failedRequest();
    for (const act of ['show', 'retry'])
      expect(await run(['requests', act, 'bcdfghjkmnpq', ...IN])).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^There is no request bcdfghjkmnpq in this workspace\./),
      });
    expect(await run(['requests', 'list', '--workspace', 'T0OTHER'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Countermand stores nothing about T0OTHER/),
    });
  });
});

describe('countermand audit', () => {
  test('lists who did what, for people and for programs', async () => {
    const { run, id, withStorage } = await failedRequest();
    const lines = (await run(['audit', ...IN])).output.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`Z  ${ana}  requested  ${id} \\(cancel_order A-1001\\)  -> queued$`)),
      expect.stringMatching(new RegExp(`Z  ${olga}  connected .*-> \\{"tokenKind":"rest"`)),
    ]);
    const json = await run(['audit', ...IN, '--json', '--limit', '1']);
    expect(JSON.parse(json.output)).toMatchObject({
      act: 'requested',
      by: [ana],
      at: expect.stringMatching(/^2\d{3}-/),
      request: { id },
    });
    const hostile = 'A\n\u001b[2J\u202e';
    const entry = { workspace: SEED.team, id: 'typed', at: Date.now() + 60_000, by: [olga] };
    const request = { id, kind: 'cancel_order' as const, target: hostile };
    const changed = { ...entry, act: 'changed_setting' as const, request, to: hostile };
    await withStorage(({ storage }) => storage.auditEntries.create(auditEntry(changed)));
    const { output } = await run(['audit', ...IN, '--limit', '1']);
    expect(output).toMatch(/^[^\p{Cc}\p{Bidi_Control}]+\n$/u);
    await run(['rotate-keys']);
    expect(await run(['audit'])).toMatchObject({ code: 0 });
  });
});
