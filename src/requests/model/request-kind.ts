/**
 * Describes a kind of request: what it is about, its fields, its words, its call and its states. Each kind is one file in
 * this folder and one row in kinds.ts. All of it is data: the client of the order service makes the call, and
 * slack/messages/sentences/request-words.ts completes the words.
 */
import type { z } from 'zod';
import type { Answer } from './cause.ts';
import type { RECORDS, State } from './states.ts';

/** The texts for customers, by the names under which the settings keep them. */
export const CUSTOMER_REPLIES = [
  'replyOrderCanceled',
  'replyOrderInReview',
  'replyOrderNotCanceled',
  'replyOfferSent',
  'replyOfferCanceled',
] as const;
export type CustomerReply = (typeof CUSTOMER_REPLIES)[number];

export type RequestKind = {
  resource: 'order' | 'offer';
  /** `required`: the order service needs a reason. `not_sent`: one that is given is only for people who read the card. */
  reason: 'required' | 'not_sent';
  /** The slash command. manifest.yml is held against it by a test. */
  command: `/${string}`;
  words: KindWords;
  call: KindCall;
  /** The beginning of the topics of its events (events.md); undefined: the service announces nothing. */
  topic?: string;
  /** The outcomes that a person can record when the service has told none. */
  recordable: readonly (typeof RECORDS)[number][];
  /** States of an earlier request for the same target that make another one pointless or redundant. */
  doneBy: readonly State[];
  /** The text for a customer in each state. A state that is not listed tells nothing that concerns the customer. */
  customerReplies: { readonly [S in State]?: CustomerReply };
};

type KindWords = {
  /** Title of its modal, at most 24 characters (Slack). manifest.yml has the names of its shortcuts. */
  title: string;
  /** Names the request within a sentence, followed by the id: "cancel order A-1". */
  verb: string;
  /** The button of its form, at most 24 characters (Slack). */
  submit: string;
  help: { usage: string; meaning: string };
  /** The outcome, said of the order or offer: "is cancelled". */
  done: string;
  /** The outcome behind "is not" and "may or may not be": "cancelled". It is also a label: "Not cancelled". */
  participle: string;
  /** The outcome, said of the order service: "cancelled the order". */
  did: string;
};

type Path = `/${string}/{id}/${string}`;

/** A POST to the order service (order-service-interface.md, section 4). */
export type KindCall = {
  path: Path;
  /** A route that behaves identically, for services without the current route (section 9). */
  deprecatedPath?: Path;
  body?: (request: { reason: string }) => object;
  /** The field of the answer that tells the outcome. */
  outcomeField: string;
  /** Reads the body of an answer. A service may leave out any field: the answer still counts, without that field. */
  schema: z.ZodType<ReadAnswer>;
};

/** `about`: the id that the answer names, if any. An answer about another order or offer decides nothing. */
export type ReadAnswer = { answer: Answer; about?: string | undefined };
