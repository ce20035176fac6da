import type { PostResult } from '../../lib/http/client.ts';
import type { JournalKind } from '../../lib/http/journal.ts';

/** What Slack wants to tell the app, whichever way it goes. */
export type AppRequest = {
  kind: Extract<JournalKind, 'command' | 'interactivity' | 'options' | 'event'>;
  /** The command, the payload's type, or the event's type. */
  name: string;
  /** How the body is written over HTTP: form fields, a `payload` field with JSON, or JSON. */
  encoding: 'form' | 'payload' | 'json';
  body: Record<string, unknown>;
  /** Of an event that is sent again: for which time, and what came of the last one, where that is known. */
  retry?: { attempt: number; failure: PostResult | undefined };
};

/** A request that is written down and ready to go. */
export type Prepared = {
  /** What the journal keeps of it. */
  shown: unknown;
  /** Sends it and waits for the acknowledgement, as long as Slack does. */
  send(): Promise<PostResult>;
};

/** A way from Slack to the app. */
export type Transport = (request: AppRequest) => Prepared;
