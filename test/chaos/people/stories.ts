/** What is played: one story for each request, all of them made from the seed before anything begins. */
import type { Kind } from '../../../src/requests/model/kinds.ts';
import { createRandom, type Random, shareOut } from '../random.ts';

/** What the reviewers of the service decide, one after the other. */
export type Review = 'approve' | 'deny' | 'backToPending';

/** How the two approvers vote. `taken_back`: Cara's yes, which does not stand for a moment, before Dev decides. */
export const BALLOTS = ['both_yes', 'both_click', 'yes_and_no', 'taken_back_yes', 'taken_back_no'] as const;
export type Ballot = (typeof BALLOTS)[number];

/** `refused`: the service knows no such order or offer, or it has gone its way already. */
export type Plot = 'at_once' | 'reviewed' | 'send' | 'cancel_approved' | 'refused';

export type Story = {
  n: number;
  plot: Plot;
  kind: Kind;
  target: string;
  /** Which of the channels it is asked in, and in which a second person asks for the same at the same time. */
  channel: number;
  rivalChannel?: number;
  /** Whether the button is pressed twice. */
  impatient: boolean;
  reviews: { review: Review; afterMs: number }[];
  ballot?: Ballot;
};

const PLOTS: Record<Plot, number> = { at_once: 30, reviewed: 34, send: 13, cancel_approved: 15, refused: 8 };

const KIND_OF: Record<Exclude<Plot, 'refused'>, Kind> = {
  at_once: 'cancel_order',
  reviewed: 'cancel_order',
  send: 'send_offer',
  cancel_approved: 'cancel_offer',
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

export function tellStories(seed: number, requests: number, channels: number): Story[] {
  const random = createRandom(seed, 'stories');
  const plots = random.shuffled(shareOut(PLOTS, requests)).slice(0, requests);
  return plots.map((plot, n) => tellStory(random, plot, n, channels));
}

function tellStory(random: Random, plot: Plot, n: number, channels: number): Story {
  const kind = plot === 'refused' ? random.pick(['cancel_order', 'send_offer'] as const) : KIND_OF[plot];
  const channel = random.between(0, channels - 1);
  const hasRival = random.chance(RIVALS);
  return {
    n,
    plot,
    kind,
    target: `${kind === 'cancel_order' ? 'A' : 'O'}-${100_000 + n}`,
    channel,
    ...(hasRival ? { rivalChannel: (channel + 1) % channels } : {}),
    impatient: random.chance(IMPATIENT),
    reviews: plot === 'reviewed' ? reviewsOf(random) : [],
    ...(plot === 'cancel_approved' ? { ballot: random.pick(BALLOTS) } : {}),
  };
}

const reviewsOf = (random: Random) =>
  random.pick(REVIEWS).map((review) => ({ review, afterMs: random.between(0, 700) }));

/** The targets of all stories look like this, wherever they are named. */
export const TARGET = /\b[AO]-\d{6}\b/;
