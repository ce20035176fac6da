/** The words for each kind of request. */
import type { Kind } from '../../requests/model/kinds.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import { COMMANDS } from './ids.ts';
import { escaped } from './text.ts';

type Words = {
  /** Title of its modal, at most 24 characters (Slack). */
  title: string;
  /** Names the deed, followed by the id: "Cancel order A-1". */
  deed: string;
  /** The same within a sentence, followed by the id. */
  verb: string;
  noun: string;
  /** The button of its form, at most 24 characters (Slack). */
  submit: string;
  command: string;
  help: { usage: string; meaning: string };
  /** The outcome, said of the order or offer. */
  done: string;
  undone: string;
  maybe: string;
  wont: string;
};

export const KIND_COPY: Record<Kind, Words> = {
  cancel_order: {
    title: 'Cancel an order',
    deed: 'Cancel order',
    verb: 'cancel order',
    noun: 'order',
    submit: 'Request cancellation',
    command: COMMANDS.cancelOrder,
    help: {
      usage: '[order] [reason]',
      meaning: 'requests that an order is cancelled; the outcome is posted in the thread of your request.',
    },
    done: 'is cancelled',
    undone: 'is not cancelled',
    maybe: 'may or may not be cancelled',
    wont: 'will not be cancelled',
  },
  send_offer: {
    title: 'Send an offer',
    deed: 'Send offer',
    verb: 'send offer',
    noun: 'offer',
    submit: 'Send offer',
    command: COMMANDS.sendOffer,
    help: { usage: '[offer]', meaning: 'requests that a pending offer is sent to the customer.' },
    done: 'is sent to the customer',
    undone: 'is not sent',
    maybe: 'may or may not be sent',
    wont: 'will not be sent',
  },
  cancel_offer: {
    title: 'Cancel an offer',
    deed: 'Cancel offer',
    verb: 'cancel offer',
    noun: 'offer',
    submit: 'Cancel offer',
    command: COMMANDS.cancelOffer,
    help: { usage: '[offer]', meaning: 'requests that an offer is cancelled.' },
    done: 'is cancelled',
    undone: 'is not cancelled',
    maybe: 'may or may not be cancelled',
    wont: 'will not be cancelled',
  },
};

type Named = Pick<RequestRecord, 'kind' | 'target'>;

/** "Cancel order A-1", as it was typed: only for plain text. */
export const deedOf = ({ kind, target }: Named): string => `${KIND_COPY[kind].deed} ${target}`;

/** "order A-1", escaped. */
export const targetOf = ({ kind, target }: Named): string => `${KIND_COPY[kind].noun} ${escaped(target)}`;

/** "Order A-1", escaped, as a sentence begins. */
export const sentenceSubject = (named: Named): string => capital(targetOf(named));

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The note in place of words that readers here must not see. @param what the words are, as the start of a sentence */
export const withheldText = ({ id }: Pick<RequestRecord, 'id'>, what: string): string =>
  `${what} is not shown here: people who may read it can type \`${COMMANDS.countermand} status ${id}\`.`;
