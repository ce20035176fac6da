import type { InspectorViewModel } from '../../view-model/inspector.ts';

/** Returns a sentence about the transport between Slack and the bot. */
export function transportText({
  transport,
  sockets,
}: Pick<InspectorViewModel, 'transport' | 'sockets'>): string {
  if (transport === 'http') return 'Slack reaches the bot over HTTP.';
  return `Slack reaches the bot over Socket Mode, with ${connectionsText(sockets)}.`;
}

/** "1 connection", "2 connections". */
export const connectionsText = (count: number): string =>
  count === 1 ? '1 connection' : `${count} connections`;
