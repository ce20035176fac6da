import type { AppRequest } from './app-request.ts';

/** The fields of a command, the payload of an interaction, or the envelope of an event, of somebody's own making. */
export type CustomRequest = Pick<AppRequest, 'body'> & { kind: 'command' | 'interactivity' | 'event' };

const ENCODINGS = { command: 'form', interactivity: 'payload', event: 'json' } as const;

/** The request that Slack would send. */
export function toAppRequest({ kind, body }: CustomRequest): AppRequest {
  const { command, event, type } = body;
  const eventType = event && typeof event === 'object' && 'type' in event ? event.type : undefined;
  return { kind, name: String(command ?? eventType ?? type), encoding: ENCODINGS[kind], body };
}
