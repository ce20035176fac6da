import type { PostResult } from '../../lib/http/client.ts';
import type { JournalKind } from '../../lib/http/journal.ts';

/** A request of Slack to the app, independent of the transport. */
export type AppRequest = {
  kind: Extract<JournalKind, 'command' | 'interactivity' | 'options' | 'event'>;
  /** The command, the payload's type, or the event's type. */
  name: string;
  /** The encoding of the body over HTTP: form fields, a `payload` field with JSON, or JSON. */
  encoding: 'form' | 'payload' | 'json';
  body: Record<string, unknown>;
  /** For an event that is sent again: the number of the attempt, and the result of the previous one, if known. */
  retry?: { attempt: number; failure: PostResult | undefined };
};

/** A request that is ready to send. */
export type Prepared = {
  /** The request as the journal keeps it. */
  shown: unknown;
  /** Sends it and waits for the acknowledgement, up to Slack's time-out. */
  send(): Promise<PostResult>;
};

/** Prepares requests for one transport. */
export type Transport = (request: AppRequest) => Prepared;

/** A request with a custom body: the fields of a command, the payload of an interaction, or the envelope of an event. */
export type CustomRequest = Pick<AppRequest, 'body'> & { kind: 'command' | 'interactivity' | 'event' };

const ENCODINGS = { command: 'form', interactivity: 'payload', event: 'json' } as const;

/** Converts a custom request to the request that Slack would send. */
export function toAppRequest({ kind, body }: CustomRequest): AppRequest {
  const { command, event, type } = body;
  const eventType = event && typeof event === 'object' && 'type' in event ? event.type : undefined;
  return { kind, name: String(command ?? eventType ?? type), encoding: ENCODINGS[kind], body };
}
