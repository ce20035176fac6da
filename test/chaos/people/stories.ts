/** Draws one story for each request from the seed, before anything begins. */
import type { Kind } from '../../../src/requests/model/kinds.ts';
import { createRandom, type Random, shareOut } from '../random.ts';

/** The decisions of the service's reviewers, in order. */
export type Review = 'approve' | 'deny' | 'backToPending';

/** How many approvers each kind of request needs; a kind that is not listed needs none. */
export const QUORUM: { readonly [K in Kind]?: 1 | 2 } = { cancel_offer: 1, send_offer: 2 };

/**
 * How the two approvers vote. `taken_back`: Cara's yes, which does not stand for a moment, before Dev decides; in
 * `second_thoughts` she approves after him, all the same.
 */
export type Ballot =
  | 'both_yes'
  | 'both_click'
  | 'yes_and_no'
  | 'taken_back_yes'
  | 'taken_back_no'
  | 'second_thoughts';

const BALLOTS = {
  1: ['both_yes', 'both_click', 'yes_and_no', 'taken_back_yes', 'taken_back_no'],
  2: ['both_yes', 'both_click', 'yes_and_no', 'second_thoughts', 'taken_back_no'],
} as const;

/**
 * `refused`: the service knows no such order or offer, or it has gone its way already. `forbidden`: it refuses until
 * somebody is given the right, and then it is sent again.
 */
export type Plot = 'at_once' | 'reviewed' | 'send' | 'cancel_approved' | 'refused' | 'forbidden';

export type Story = {
  n: number;
  plot: Plot;
  kind: Kind;
  target: string;
  /** The channel in which it is requested, and the one in which a second person requests the same at the same time. */
  channel: number;
  rivalChannel?: number;
  /** Whether the button is pressed twice. */
  impatient: boolean;
  reviews: { review: Review; afterMs: number }[];
  ballot?: Ballot;
  /** The requester thinks better of it so long after the request was taken. */
  withdrawsAfterMs?: number;
  /** Whether the requester looks an unknown outcome up at the service, and records it or sends the request again. */
  looksItUp: boolean;
};

const PLOTS: Record<Plot, number> = {
  at_once: 28,
  reviewed: 32,
  send: 13,
  cancel_approved: 14,
  refused: 8,
  forbidden: 5,
};

const KIND_OF: Record<Exclude<Plot, 'refused'>, Kind> = {
  at_once: 'cancel_order',
  reviewed: 'cancel_order',
  send: 'send_offer',
  cancel_approved: 'cancel_offer',
  forbidden: 'cancel_offer',
};

const REVIEWS: readonly [Review[], ...Review[][]] = [
  ['approve'],
  ['deny'],
  ['deny', 'approve'],
  ['approve', 'deny'],
  ['approve', 'backToPending', 'deny'],
  ['deny', 'backToPending', 'approve'],
];

const RIVALS = 0.12;
const IMPATIENT = 0.1;
const WITHDRAWS = 0.15;
const LOOKS_IT_UP = 0.5;

export function tellStories(seed: number, requests: number, channels: number): Story[] {
  const random = createRandom(seed, 'stories');
  const plots = random.shuffled(shareOut(PLOTS, requests)).slice(0, requests);
  return plots.map((plot, n) => tellStory(random, plot, n, channels));
}

function tellStory(random: Random, plot: Plot, n: number, channels: number): Story {
  const kind = plot === 'refused' ? random.pick(['cancel_order', 'send_offer'] as const) : KIND_OF[plot];
  const channel = random.between(0, channels - 1);
  const quorum = QUORUM[kind];
  return {
    n,
    plot,
    kind,
    target: `${kind === 'cancel_order' ? 'A' : 'O'}-${100_000 + n}`,
    channel,
    ...(random.chance(RIVALS) ? { rivalChannel: (channel + 1) % channels } : {}),
    impatient: random.chance(IMPATIENT),
    reviews: plot === 'reviewed' ? reviewsOf(random) : [],
    ...(quorum ? { ballot: random.pick(BALLOTS[quorum]) } : {}),
    ...(quorum && random.chance(WITHDRAWS) ? { withdrawsAfterMs: random.between(0, 2_000) } : {}),
    looksItUp: random.chance(LOOKS_IT_UP),
  };
}

const reviewsOf = (random: Random) =>
  random.pick(REVIEWS).map((review) => ({ review, afterMs: random.between(0, 700) }));

/** The targets of all stories look like this, wherever they are named. */
export const TARGET = /\b[AO]-\d{6}\b/;
