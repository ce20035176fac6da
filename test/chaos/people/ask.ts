/** Submits a request as people do: after "Try again" they try again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Submission } from '../../../sandbox/slack/people/form/submit.ts';
import type { Person } from '../../../sandbox/slack/people/person.ts';

/** `taken`: the form was closed. `told`: why it was not taken. `gave_up`: nobody has so much patience. */
export type Asked = { type: 'taken' } | { type: 'told'; text: string } | { type: 'gave_up' };

/** A command to which neither a form nor a word came. */
export type Silence = { line: string; from: number; to: number };

export type Asking = {
  line: string;
  channel: string;
  /** Presses the button twice. */
  impatient: boolean;
  silent: (silence: Silence) => void;
};

const MOST_TRIES = 60;
const PAUSE_MS = 300;
/** For as long as Slack lets a form be opened: none can come later, and take the place of the next. */
const FORM_MS = 3_200;
const FAULT = 'Something went wrong in Countermand';

export async function ask(who: Person, asking: Asking): Promise<Asked> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (await openForm(who, asking)) {
      const asked = await submit(who, asking.impatient);
      if (asked) return asked;
    }
    await sleep(PAUSE_MS);
  }
  return { type: 'gave_up' };
}

async function openForm(who: Person, { line, channel, silent }: Asking): Promise<boolean> {
  if (who.modal()) await who.closeModal({ all: true });
  const from = Date.now();
  const { trouble, ephemerals } = await who.command(line, { channel });
  if (trouble) return false;
  const known = who.ephemerals(channel).length - ephemerals.length;
  const isForm = ({ callback_id }: { callback_id: string }) => callback_id.startsWith('request_');
  const opened = await who.waitForModal(isForm, { timeoutMs: FORM_MS }).then(
    () => true,
    () => false,
  );
  if (!opened && who.ephemerals(channel).length <= known) silent({ line, from, to: Date.now() });
  return opened;
}

/** Undefined: all of it has to be done once more. */
async function submit(who: Person, impatient: boolean): Promise<Asked | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const pressed = impatient ? [who.submit(), who.submit()] : [who.submit()];
    const results = (await Promise.allSettled(pressed)).flatMap((each) =>
      each.status === 'fulfilled' ? each.value : [],
    );
    const asked = await understand(who, results);
    if (asked !== 'again') return asked;
    await sleep(PAUSE_MS);
  }
  return { type: 'gave_up' };
}

async function understand(who: Person, results: Submission[]): Promise<Asked | 'again' | undefined> {
  const outcomes = new Set(results.map(({ outcome }) => outcome));
  if (outcomes.has('pushed') || outcomes.has('updated') || outcomes.has('errors')) {
    const text = JSON.stringify(who.modal()?.view.blocks ?? results.map(({ errors }) => errors));
    if (!text.includes(FAULT)) {
      if (who.modal()) await who.closeModal({ all: true });
      return { type: 'told', text };
    }
    // The form lies beneath, with all that was typed.
    await who.closeModal();
    return 'again';
  }
  if (outcomes.has('closed') || outcomes.has('cleared')) return { type: 'taken' };
  return who.modal() ? 'again' : undefined;
}
