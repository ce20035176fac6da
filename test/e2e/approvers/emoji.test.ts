import { describe, expect, test } from 'vitest';
import { fillPolicy } from '../../../sandbox/fill-policy.ts';
import { read, setPolicy, startAwaitingApproval } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openPolicy } from '../../support/e2e/policy-modal.ts';

describe('the emoji', () => {
  test('are offered by name, and any other name that is typed', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await fillPolicy(harness.olga, { approvers: 'people', shown_in: 'where_requested' });
    const offered = async (text: string) =>
      (await harness.olga.search('emoji_yes', text)).options.map(({ value }) => value);
    expect(await offered('')).toContain('white_check_mark');
    expect(await offered('sign')).toEqual(['sign', 'no_entry_sign', 'octagonal_sign']);
    expect(await offered(':Ship-It:')).toEqual(['ship-it']);
    expect(await offered('+1::skin-tone-3')).toEqual(['+1']);
    expect(await offered('thumbsup')).toEqual(['+1']);
    for (const [character, name] of Object.entries({
      '✅': 'white_check_mark',
      '✔️': 'heavy_check_mark',
      '👍🏽': '+1',
    }))
      expect(await offered(character)).toEqual([name]);
    expect(await offered('no emoji!')).toEqual([]);
  });

  test.each([
    ['raised_hand', 'hand'],
    [':thumbsup:', '+1'],
    ['collision', 'boom'],
    ['flag-us', 'us'],
    ['+1::skin-tone-4', '+1'],
  ])('typed as %s is kept under the name that Slack reports: %s', async (typed, reported) => {
    const harness = await startHarness();
    await openPolicy(harness);
    await fillPolicy(harness.olga, { approvers: 'people', shown_in: 'where_requested' });
    const options = await harness.olga.search('emoji_yes', typed);
    expect(JSON.stringify(options)).toContain(`"value":"${reported}"`);
    await harness.olga.closeModal({ all: true });
    await setPolicy(harness, { emoji: { yes: reported, no: 'x' } });
    await harness.cancelOrder('A-1001');
    const card = await harness.card('A-1001');
    harness.slack.person('cara').react(reported, card);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('of the workspace itself count as votes', async () => {
    const harness = await startAwaitingApproval({ emoji: { yes: 'ship-it', no: 'x' } });
    expect(read(harness, harness.message)).toContain('React with :ship-it: to approve or :x: to decline');
    harness.cara.react('ship-it', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });
});
