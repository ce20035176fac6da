import { expect, test } from 'vitest';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { createTokenStates, observeLog } from '../../src/metrics/observe-log.ts';
import { shownIn } from '../support/shown-metrics.ts';

function setUp() {
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  const lines: unknown[] = [];
  const written = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields, message]);
  const [debug, info, warn, error] = ['debug', 'info', 'warn', 'error'].map(written) as [
    never,
    never,
    never,
    never,
  ];
  const log = observeLog(
    { debug, info, warn, error },
    metrics,
    createTokenStates(metrics, () => 0),
  );
  return { log, lines, shown: (name: string) => shownIn(metrics, name) };
}

const STREAMED = { event: 'effect_performed', effect: 'stream_audit_entry', ms: 1 };
const EFFECT = { event: 'effect_performed', effect: 'post_card', result: 'posted', ms: 250 };

test.each([
  ['effects_total', EFFECT, ['effects_total{effect="post_card",result="posted"} 1']],
  ['effect_seconds_sum', EFFECT, ['effect_seconds_sum{effect="post_card"} 0.25']],
  [
    'messages_tidied_total',
    { ...EFFECT, removed: 2, linked: 1 },
    ['messages_tidied_total{how="removed"} 2', 'messages_tidied_total{how="linked"} 1'],
  ],
  ['audit_lines_total', { ...STREAMED, result: 'written' }, ['audit_lines_total{result="written"} 1']],
  ['audit_lines_total', { ...STREAMED, result: 'failed' }, ['audit_lines_total{result="failed"} 1']],
  ['audit_lines_total', { ...STREAMED, result: 'too_late' }, []],
  ['claims_expired_total', { event: 'claim_expired' }, ['claims_expired_total 1']],
  ['claims_unreplicated_total', { event: 'claim_not_replicated' }, ['claims_unreplicated_total 1']],
  ['events_total', { event: 'event_received', result: 'applied' }, ['events_total{answer="applied"} 1']],
  [
    'refused_requests_total',
    { event: 'request_refused', from: 'slack', reason: 'wrong_time' },
    ['refused_requests_total{from="slack",reason="wrong_time"} 1'],
  ],
  ['acknowledgement_seconds_sum', { event: 'answered', ms: 1_500 }, ['acknowledgement_seconds_sum 1.5']],
  ['late_acknowledgements_total', { event: 'acknowledged_late' }, ['late_acknowledgements_total 1']],
  ['pauses_total', { event: 'sending_paused' }, ['pauses_total{what="sending"} 1']],
  ['pauses_total', { event: 'calls_paused' }, ['pauses_total{what="order_service"} 1']],
  ['pauses_total', { event: 'order_token_refused' }, ['pauses_total{what="token"} 1']],
  ['unopened_secrets', { event: 'secrets_unopened', unopened: 3 }, ['unopened_secrets 3']],
  ['faults_total', { event: 'fault' }, ['faults_total 1']],
])('%s has what the log says: %o', async (name, fields, expected) => {
  const { log, shown } = setUp();
  log.info(fields, 'something happened');
  expect(await shown(name)).toEqual(expected);
});

test('each line is written as it was, and counted by its level', async () => {
  const { log, lines, shown } = setUp();
  const levels = ['debug', 'info', 'warn', 'error'] as const;
  for (const level of levels) log[level]({ n: 1 }, 'something happened');
  expect(lines).toEqual(levels.map((level) => [level, { n: 1 }, 'something happened']));
  expect(await shown('log_lines_total')).toEqual(
    levels.map((level) => `log_lines_total{level="${level}"} 1`),
  );
});
