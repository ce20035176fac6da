/** Submits a request as a person does, who tries again after "Try again". */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Submission } from '../../../sandbox/slack/people/form/submit.ts';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { waitForForm } from './wait-for-form.ts';

/** `accepted`: the form was closed. `rejected`: what the person read instead. `gave_up`: after too many tries. */
export type SubmitResult = { type: 'accepted' } | { type: 'rejected'; text: string } | { type: 'gave_up' };

/** A command that was answered by neither a form nor a message. In epoch milliseconds. */
export type UnansweredCommand = { line: string; from: number; to: number };

export type SubmitOptions = {
  line: string;
  channel: string;
  /** Whether the person presses the button twice. */
  pressesTwice: boolean;
  onUnanswered: (command: UnansweredCommand) => void;
};

const MOST_TRIES = 60;
const PAUSE_MS = 300;
const FAULT = 'Something went wrong in Countermand';

export async function submitRequest(who: Person, options: SubmitOptions): Promise<SubmitResult> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (await openForm(who, options)) {
      const result = await submitForm(who, options.pressesTwice);
      if (result) return result;
    }
    await sleep(PAUSE_MS);
  }
  return { type: 'gave_up' };
}

async function openForm(who: Person, { line, channel, onUnanswered }: SubmitOptions): Promise<boolean> {
  if (who.modal()) await who.closeModal({ all: true });
  const from = Date.now();
  const { trouble, ephemerals } = await who.command(line, { channel });
  if (trouble) return false;
  const known = who.ephemerals(channel).length - ephemerals.length;
  const opened = (await waitForForm(who, 'request_')) !== undefined;
  if (!opened && who.ephemerals(channel).length <= known) onUnanswered({ line, from, to: Date.now() });
  return opened;
}

/** @returns undefined if the command must be repeated */
async function submitForm(who: Person, pressesTwice: boolean): Promise<SubmitResult | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const pressed = pressesTwice ? [who.submit(), who.submit()] : [who.submit()];
    const results = (await Promise.allSettled(pressed)).flatMap((each) =>
      each.status === 'fulfilled' ? each.value : [],
    );
    const result = await readResult(who, results);
    if (result !== 'again') return result;
    await sleep(PAUSE_MS);
  }
  return { type: 'gave_up' };
}

async function readResult(who: Person, results: Submission[]): Promise<SubmitResult | 'again' | undefined> {
  const outcomes = new Set(results.map(({ outcome }) => outcome));
  if (outcomes.has('pushed') || outcomes.has('updated') || outcomes.has('errors')) {
    const text = JSON.stringify(who.modal()?.view.blocks ?? results.map(({ errors }) => errors));
    if (!text.includes(FAULT)) {
      if (who.modal()) await who.closeModal({ all: true });
      return { type: 'rejected', text };
    }
    // The form is beneath, with everything that was typed.
    await who.closeModal();
    return 'again';
  }
  if (outcomes.has('closed')) return { type: 'accepted' };
  return who.modal() ? 'again' : undefined;
}
