import { expect, test } from 'vitest';
import { transportText } from '../../../../page/client/inspector/transport-text.ts';

test.each([
  ['http', 0, 'Slack reaches the bot over HTTP.'],
  ['socket', 1, 'Slack reaches the bot over Socket Mode, with 1 connection.'],
  ['socket', 2, 'Slack reaches the bot over Socket Mode, with 2 connections.'],
  ['socket', 0, 'Slack reaches the bot over Socket Mode, with 0 connections.'],
] as const)('over %s with %i connections reads: %s', (transport, sockets, text) => {
  expect(transportText({ transport, sockets })).toBe(text);
});
