/** Draws one story for each request from the seed, before the run begins. */
import { KINDS, type Kind } from '../../src/requests/model/kinds.ts';
import { createRandom, type Random, shareOut } from './random.ts';

/** The decisions of the service's reviewers, in order. */
export type Review = 'approve' | 'deny' | 'backToPending';

/** The number of approvers that each kind of request needs; a kind that is not listed needs none. */
export const QUORUM: { readonly [K in Kind]?: 1 | 2 } = { cancel_offer: 1, send_offer: 2 };

/**
 * The votes of the two approvers. `taken_back_…`: Cara takes her yes back at once, and Dev decides. `second_thoughts`: the
 * same, but she approves after him.
 */
export type VotingPattern =
  | 'both_yes'
  | 'both_click'
  | 'yes_and_no'
  | 'taken_back_yes'
  | 'taken_back_no'
  | 'second_thoughts';

const VOTING_PATTERNS = {
  1: ['both_yes', 'both_click', 'yes_and_no', 'taken_back_yes', 'taken_back_no'],
  2: ['both_yes', 'both_click', 'yes_and_no', 'second_thoughts', 'taken_back_no'],
} as const;

/**
 * `refused`: the service knows no such order or offer, or it is canceled already. `forbidden`: the service refuses until
 * somebody is given the right, and then the request is sent again.
 */
export type Plot = 'at_once' | 'reviewed' | 'send' | 'cancel_approved' | 'refused' | 'forbidden';

export type Story = {
  n: number;
  plot: Plot;
  kind: Kind;
  target: string;
  /** The number of the channel of the request, and of a second person who requests the same at the same time. */
  channel: number;
  rivalChannel?: number;
  /** Whether the requester presses the button twice. */
  pressesTwice: boolean;
  reviews: { review: Review; afterMs: number }[];
  votes?: VotingPattern;
  /** The time from the submission until the requester withdraws. */
  withdrawsAfterMs?: number;
  /** Whether the requester looks up an unknown outcome at the service, and records it or sends the request again. */
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
const PRESSES_TWICE = 0.1;
const WITHDRAWS = 0.15;
const LOOKS_IT_UP = 0.5;

export function drawStories(seed: number, requests: number, channels: number): Story[] {
  const random = createRandom(seed, 'stories');
  const plots = random.shuffled(shareOut(PLOTS, requests)).slice(0, requests);
  return plots.map((plot, n) => drawStory(random, plot, n, channels));
}

function drawStory(random: Random, plot: Plot, n: number, channels: number): Story {
  const kind = plot === 'refused' ? random.pick(['cancel_order', 'send_offer'] as const) : KIND_OF[plot];
  const channel = random.between(0, channels - 1);
  const quorum = QUORUM[kind];
  return {
    n,
    plot,
    kind,
    target: `${KINDS[kind].resource === 'order' ? 'A' : 'O'}-${100_000 + n}`,
    channel,
    ...(random.chance(RIVALS) ? { rivalChannel: (channel + 1) % channels } : {}),
    pressesTwice: random.chance(PRESSES_TWICE),
    reviews: plot === 'reviewed' ? reviewsOf(random) : [],
    ...(quorum ? { votes: random.pick(VOTING_PATTERNS[quorum]) } : {}),
    ...(quorum && random.chance(WITHDRAWS) ? { withdrawsAfterMs: random.between(0, 2_000) } : {}),
    looksItUp: random.chance(LOOKS_IT_UP),
  };
}

const reviewsOf = (random: Random) =>
  random.pick(REVIEWS).map((review) => ({ review, afterMs: random.between(0, 700) }));

/** Matches the targets of all stories. */
export const TARGET = /\b[AO]-\d{6}\b/;
