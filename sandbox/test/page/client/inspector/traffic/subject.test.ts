import { expect, test } from 'vitest';
import { subjectOf } from '../../../../../page/client/inspector/traffic/subject.ts';
import { modal, payloadOf } from '../../../../support/slack-harness.ts';
import { openPageHarness } from '../../../support/harness.ts';
import { begun } from './exchanges.ts';

test('what an exchange of a real sandbox is about is the order, what was typed, or the modal', async () => {
  const { slack, service, bot, call, cancel, journal } = await openPageHarness();
  service.subscribe({ url: bot.url, secret: 'a-secret-of-a-subscription' });
  const ana = slack.person('ana');
  await ana.command('/cancel-order A-2001', { channel: '#support' });
  await call('views.open', { trigger_id: payloadOf(bot).trigger_id, view: modal() });
  ana.react('+1', ana.say('Hello', { channel: '#support' }));
  await ana.submit({ order_id: 'A-2001', reason: 'Late' });
  await cancel('A-2001');
  await journal.waitFor({ kind: 'service_event' });
  service.approve('A-2001');
  const subjects = journal.entries().map((each) => [`${each.kind} ${each.name}`, subjectOf(each)]);
  expect(Object.fromEntries(subjects)).toMatchObject({
    'person command': '/cancel-order A-2001',
    'command /cancel-order': 'A-2001',
    'web_api views.open': 'cancel_order',
    'person say': 'Hello',
    'person react': '+1',
    'interactivity view_submission': 'cancel_order',
    'order_service cancel_order': 'A-2001',
    'service_event order.cancellationrequest.created': 'A-2001',
    'back_office approved': 'A-2001',
  });
});

test('an exchange can be about nothing that a few words tell', () => {
  for (const request of [{}, null, undefined, 'text', { id: '' }, { id: 7, actions: [] }]) {
    expect(subjectOf({ ...begun, request })).toBe('');
  }
});
