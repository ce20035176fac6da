import { describe, expect, test } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openModalHarness } from '../../support/modal-harness.ts';
import { actions, button, input, option, payloadOf, text } from '../../support/slack-harness.ts';

const { users, channels } = SEED;
const brand = option('Acme Home', 'sb-1');
const kinds = [option('Cancel order', 'cancel_order'), option('Send offer', 'send_offer')];
const styles = [option('Buttons', 'buttons'), option('Emoji', 'emoji')];

/** A form with every kind of field that a policy needs, and a button that opens the next view. */
const policyForm = (changes: object = {}) => ({
  type: 'modal',
  callback_id: 'policy',
  title: text('Approvals'),
  submit: text('Save'),
  blocks: [
    input('who', { type: 'multi_users_select', action_id: 'approvers', max_selected_items: 2 }),
    input('where', {
      type: 'conversations_select',
      action_id: 'channel',
      filter: { include: ['private'] },
    }),
    input('what', { type: 'checkboxes', action_id: 'kinds', options: kinds }),
    input('how', { type: 'radio_buttons', action_id: 'style', options: styles }),
    input('brand', { type: 'external_select', action_id: 'brand', initial_option: brand }),
    actions(button('add', 'Add a rule')),
  ],
  ...changes,
});

const ruleForm = {
  type: 'modal',
  callback_id: 'rule',
  title: text('A rule'),
  submit: text('Add'),
  blocks: [input('limit', { type: 'plain_text_input', action_id: 'limit' })],
};

const filled = { approvers: ['cara', '@dev'], channel: '#approvals', kinds: ['Send offer'], style: 'Emoji' };
const openPolicyHarness = () => openModalHarness(policyForm(), { person: 'olga' });

describe('a policy form', () => {
  test('takes people, private channels, boxes, a choice, and the option that it began with', async () => {
    const { person: olga, bot } = await openPolicyHarness();
    expect((await olga.submit(filled)).outcome).toBe('closed');
    expect(payloadOf(bot).view.state.values).toMatchObject({
      who: { approvers: { type: 'multi_users_select', selected_users: [users.cara, users.dev] } },
      where: { channel: { type: 'conversations_select', selected_conversation: channels.approvals } },
      what: { kinds: { type: 'checkboxes', selected_options: [{ value: 'send_offer' }] } },
      how: { style: { type: 'radio_buttons', selected_option: { value: 'emoji' } } },
      brand: { brand: { type: 'external_select', selected_option: { value: 'sb-1' } } },
    });
  });

  test.each([
    [{ approvers: ['ana', 'ben', 'cara'] }, 'takes 2 at most'],
    [{ approvers: ['dora'] }, 'does not offer dora'],
    [{ channel: '#support' }, 'does not offer #support'],
    [{ kinds: ['Explode'] }, 'does not offer "Explode"'],
    [{ style: ['Buttons', 'Emoji'] }, 'takes one value'],
  ])('refuses %j', async (values, complaint) => {
    const { person: olga } = await openPolicyHarness();
    await expect(olga.fill(values)).rejects.toThrow(complaint);
  });
});

describe('a form on top of the policy form', () => {
  async function pushRule() {
    const harness = await openPolicyHarness();
    const { person: olga, bot, call } = harness;
    await olga.fill(filled);
    await olga.click('Add a rule');
    const { trigger_id } = payloadOf(bot);
    await call('views.push', { trigger_id, view: ruleForm });
    expect(olga.modal()).toMatchObject({ callback_id: 'rule', depth: 2 });
    return harness;
  }

  test('gives way when it was acknowledged with nothing; what was entered below is still there', async () => {
    const { person: olga, bot, call, opened } = await pushRule();
    expect((await olga.submit({ limit: '500' })).outcome).toBe('closed');
    expect(payloadOf(bot)).toMatchObject({
      view: { callback_id: 'rule', root_view_id: opened.view.id, previous_view_id: opened.view.id },
    });
    expect(olga.modal()).toMatchObject({ view_id: opened.view.id, depth: 1 });
    const { blocks } = policyForm();
    const rule = { type: 'section', block_id: 'rule', text: text('Above 500') };
    const view = policyForm({ title: text('Approvals, 1 rule'), blocks: [...blocks, rule] });
    expect((await call('views.update', { view_id: opened.view.id, view })).ok).toBe(true);
    expect(olga.modal()).toMatchObject({
      title: 'Approvals, 1 rule',
      values: {
        approvers: [users.cara, users.dev],
        channel: channels.approvals,
        kinds: ['send_offer'],
        style: 'emoji',
        brand: 'sb-1',
      },
    });
    expect((await olga.submit()).outcome).toBe('closed');
  });

  test('lets the one below be replaced before it gives way', async () => {
    const { person: olga, call, opened } = await pushRule();
    const view = policyForm({ title: text('Approvals, 1 rule') });
    expect((await call('views.update', { view_id: opened.view.id, view })).ok).toBe(true);
    expect(olga.modal()?.title).toBe('A rule');
    await olga.submit({ limit: '500' });
    expect(olga.modal()).toMatchObject({ title: 'Approvals, 1 rule', values: { style: 'emoji' } });
  });
});
