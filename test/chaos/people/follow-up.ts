/** Acts as requesters do later: withdraws requests, sends them again, and records what the service shows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderService } from '../../../sandbox/order-service/start.ts';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { ACTIONS } from '../../../src/slack/blocks/ids.ts';
import { type SeenState, stateOf } from '../observed/requests.ts';
import { isCard, type Posted, type Witness } from '../observed/witness.ts';
import type { Story } from '../stories.ts';
import { SERVICE_DEADLINE_MS } from '../timings.ts';
import { buttonOn } from './buttons.ts';
import { tryAction } from './try-action.ts';
import { waitForForm } from './wait-for-form.ts';

export type Requester = { who: Person; story: Story; witness: Witness; service: OrderService };

const POLL_MS = 200;
/** The time after which a person whose click changed nothing repeats it. */
const RETRY_MS = 2_500;
/** The time after which the service has processed a delayed call, or never will. */
const LATE_MS = SERVICE_DEADLINE_MS + 2_500;
/** The number of failures after which a person gives up. */
const MOST_TIMES = 2;

/** Withdraws the request as long as its card offers that. */
export async function withdraw(requester: Requester, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const card of cardsOf(requester)) {
      if (buttonOn(requester.witness.shown(card), ACTIONS.withdraw))
        await tryAction(() => requester.who.click('Withdraw', card.message));
    }
    await sleep(POLL_MS);
  }
}

/**
 * Sends again what was refused or not received, and records what the service shows.
 *
 * @returns the decisions to send it again: the request and the step that each was about
 */
export async function followUp(requester: Requester, isOver: () => boolean): Promise<string[]> {
  const resent = new Set<string>();
  for (const card of cardsOf(requester)) {
    for (let times = 0; times < MOST_TIMES && !isOver(); times++) {
      await atRest(requester, card, isOver);
      const decided = await resolve(requester, card, isOver);
      if (decided === undefined) break;
      for (const ref of decided) resent.add(ref);
    }
  }
  return [...resent];
}

/** @returns the decisions to send it again; undefined if there was nothing to decide */
async function resolve(
  requester: Requester,
  card: Posted,
  isOver: () => boolean,
): Promise<string[] | undefined> {
  const { who, story, witness, service } = requester;
  const shown = () => witness.shown(card);
  const retry = buttonOn(shown(), ACTIONS.retry);
  if (retry) {
    const offer = service.organization().offers.get(story.target);
    if (offer) offer.forbidden = false;
    await until(isOver, RETRY_MS, async () => {
      if (buttonOn(shown(), ACTIONS.retry) !== retry) return true;
      await tryAction(() => who.click('Retry', card.message));
      return false;
    });
    return [retry];
  }
  const message = shown();
  if (!story.looksItUp || !message || stateOf(message) !== 'unknown') return undefined;
  await sleep(LATE_MS);
  const record = buttonOn(shown(), ACTIONS.recordOutcome);
  const outcome = outcomeAt(service, story);
  if (!record || !outcome) return undefined;
  const forms: string[] = [];
  await until(isOver, RETRY_MS, async () => {
    if (buttonOn(shown(), ACTIONS.recordOutcome) !== record) return true;
    forms.push(...(await recordOutcome(who, card, outcome)));
    return false;
  });
  return outcome === 'not_received' ? forms : undefined;
}

/** @returns the outcome that the service shows; undefined while it is under review */
function outcomeAt(service: OrderService, { kind, target }: Story): string | undefined {
  const { orders, offers } = service.organization();
  if (kind === 'cancel_order') {
    const status = orders.get(target)?.requests.cancel_order?.status;
    if (status === undefined) return 'not_received';
    return status === 'canceled' ? 'approved' : undefined;
  }
  const status = offers.get(target)?.status;
  if (kind === 'send_offer') return status === 'awaiting_customer' ? 'sent' : 'not_received';
  return status === 'canceled' ? 'canceled' : 'not_received';
}

/** @returns the request and the step of each form that was submitted: those of the button may be older, if its card changes */
async function recordOutcome(who: Person, { message }: Posted, outcome: string): Promise<string[]> {
  const submitted: string[] = [];
  if (who.modal()) await who.closeModal({ all: true });
  await tryAction(async () => {
    await who.click('Record the outcome', message);
    const opened = await waitForForm(who, 'record_outcome');
    if (!opened) return;
    submitted.push(opened.view.private_metadata);
    await who.submit({ outcome });
  });
  if (who.modal()) await who.closeModal({ all: true });
  return submitted;
}

/** Waits until the card shows a state that only a person or the service can change. */
function atRest({ witness }: Requester, card: Posted, isOver: () => boolean): Promise<void> {
  return until(isOver, POLL_MS, async () => {
    const message = witness.shown(card);
    const state = message && stateOf(message);
    return state === undefined || !ON_ITS_WAY.has(state);
  });
}

const ON_ITS_WAY: ReadonlySet<SeenState> = new Set<SeenState>(['awaiting_approval', 'queued', 'calling']);

/** Repeats an attempt, with pauses, until it is done or the story is over. */
async function until(isOver: () => boolean, pauseMs: number, isDone: () => Promise<boolean>): Promise<void> {
  for (let next = 0; !isOver(); await sleep(POLL_MS)) {
    if (Date.now() < next) continue;
    if (await isDone()) return;
    next = Date.now() + pauseMs;
  }
}

/** The visible cards of the requester's own requests. */
const cardsOf = ({ who, story, witness }: Requester): Posted[] =>
  witness.about(story.target).filter((posted) => {
    const shown = isCard(posted) && witness.shown(posted);
    return shown && JSON.stringify(shown.blocks).includes(`Requested by <@${who.id}>`);
  });
