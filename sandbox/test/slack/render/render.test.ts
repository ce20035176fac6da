import { expect, test } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import {
  actions,
  button,
  input,
  openSlackHarness,
  SUPPORT,
  section,
  text,
} from '../../support/slack-harness.ts';

const { users, groups } = SEED;

test('a thread reads as a person reads it', async () => {
  const { slack, post } = await openSlackHarness();
  const card = await post({
    text: 'Cancel order A-1001',
    blocks: [
      { type: 'header', text: text('Cancel order A-1001') },
      section(`Asked by <@${users.ana}> for <!subteam^${groups.agents}> in <#${SUPPORT}>`),
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'a &lt;b&gt; &amp; c' }, text('now')] },
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_quote', elements: [{ type: 'text', text: 'Too late\nby far' }] },
          { type: 'rich_text_section', elements: [{ type: 'emoji', name: 'x' }] },
          { type: 'rich_text_preformatted', elements: [{ type: 'link', url: 'https://a.test' }] },
        ],
      },
      { ...input('why', { type: 'plain_text_input', placeholder: text('Why?') }), optional: true },
      actions(button('retry', 'Retry'), button('close', 'Close')),
    ],
  });
  slack
    .person('ana')
    .say('Thanks <https://a.test|everybody> <!here>', { channel: '#support', thread_ts: card.ts });
  slack.person('ben').react('tada', { channel: '#support', ts: card.ts });

  const thread = [
    'Countermand: CANCEL ORDER A-1001',
    '  Asked by @Ana Alvarez for @agents in #support',
    '  a <b> & c  now',
    '  > Too late',
    '  > by far',
    '  :x:',
    '      https://a.test',
    '  The why (optional):',
    '  [Why?]',
    '  [Retry] [Close]',
    '  :tada: 1',
    '  Ana Alvarez: Thanks everybody @here',
  ].join('\n');
  expect(slack.renderThread('#support', card.ts)).toBe(thread);
});

test('a date reads as its fallback, and emoji as their names', async () => {
  const { slack, post } = await openSlackHarness();
  const { ts } = await post({ text: ':hourglass: Ends <!date^1700000000^{ago}|14 November, 22:13 UTC>.' });
  const at = { channel: '#support', ts };
  for (const name of ['ana', 'ben']) slack.person(name).react('white_check_mark', at);
  slack.person('cara').react('+1::skin-tone-2', at);
  expect(slack.renderThread('#support', ts)).toBe(
    [
      'Countermand: :hourglass: Ends 14 November, 22:13 UTC.',
      '  :white_check_mark: 2  :+1::skin-tone-2: 1',
    ].join('\n'),
  );
});
