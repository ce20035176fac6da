/**
 * Checks what a text claims about sending, receiving and cancelling against what is known. Each row is a claim, and the
 * condition under which a sentence may make it.
 */
import { KINDS } from '../seen-requests.ts';
import { type Knowledge, SERVICE } from './knowledge.ts';

/**
 * `before`: the text is about the calls that were begun before this step. `buttons`: those below the text; undefined in a text
 * that stays. `onCard`: those of the card.
 */
export type Context = {
  knowledge: Knowledge;
  before: number;
  buttons: readonly string[] | undefined;
  onCard: readonly string[];
};

const recordsOutcome = (buttons: readonly string[]) =>
  buttons.some((text) => /^(Record|Correct) the outcome$/.test(text));

type Row = {
  claim: string;
  says: RegExp;
  holds: (context: Context, found: readonly (string | undefined)[], text: string) => boolean;
};

/** Matches the orders and offers of these tests. */
const IT = '(?:Order|Offer) A-1001';

/** Matches how each kind of request says that it is done, or not. */
const oneOf = (words: 'done' | 'undone' | 'did' | 'label' | 'labelUndone') =>
  `(?:${Object.values(KINDS)
    .map((kind) => kind[words])
    .join('|')})`;

const ROWS: readonly Row[] = [
  {
    claim: 'nothing was sent',
    says: /nothing (?:was|is) sent(?! for)/i,
    holds: ({ knowledge, before }) => knowledge.nothingSent(before),
  },
  {
    claim: 'it could not be sent for the first time',
    says: /could not be sent in time/,
    holds: ({ knowledge, before }) => knowledge.nothingSent(before),
  },
  {
    claim: 'its card could not be posted: here it always stands',
    says: /card could not be posted/,
    holds: () => false,
  },
  {
    claim: 'it was sent before',
    says: /not sent again|to be sent again|sent again in time/i,
    holds: ({ knowledge, before }) => !knowledge.nothingSent(before),
  },
  {
    claim: 'nothing was received',
    says: /nothing was received/i,
    holds: ({ knowledge, before }) => knowledge.nothingSent(before),
  },
  {
    claim: 'the service did not receive a call',
    says: /(?<!recorded that the order service )did not receive|not received, as became known/i,
    holds: ({ knowledge }) => knowledge.wasToldOf('not_received'),
  },
  {
    claim: 'a call may have been received',
    says: /may have been received/i,
    holds: ({ knowledge, before }) => knowledge.mayBeReceived(before),
  },
  {
    claim: 'this request did not do it',
    says: new RegExp(`${oneOf('undone')} by this request`, 'i'),
    holds: ({ knowledge }) => !knowledge.mayBeReceived(),
  },
  {
    claim: 'nobody knows whether it is done',
    says: /may or may not be/,
    holds: ({ knowledge }) =>
      knowledge.mayBeReceived() && [undefined, 'open', 'unclear'].includes(knowledge.current()?.says),
  },
  {
    claim: 'it is done',
    says: new RegExp(`${IT} ${oneOf('done')}\\b`),
    holds: ({ knowledge }) => knowledge.current()?.says === 'done' || knowledge.isCanceledElsewhere(),
  },
  {
    claim: 'it is not done',
    says: new RegExp(`${IT} ${oneOf('undone')}(?! by| yet)`),
    holds: ({ knowledge }) => knowledge.current()?.says === 'undone',
  },
  {
    claim: 'it is done, by its label',
    says: new RegExp(`:white_check_mark: ${oneOf('label')}(?!,)`),
    holds: ({ knowledge }) =>
      ['done', 'unclear'].includes(knowledge.current()?.says ?? '') || knowledge.isCanceledElsewhere(),
  },
  {
    claim: 'it is not done, by its label',
    says: new RegExp(`:no_entry: ${oneOf('labelUndone')}(?!,)`),
    holds: ({ knowledge }) => ['undone', 'unclear'].includes(knowledge.current()?.says ?? ''),
  },
  {
    claim: 'it is not done yet',
    says: new RegExp(`${oneOf('undone')} yet`),
    holds: ({ knowledge }) => knowledge.hasSaid('pending') && knowledge.current()?.says === 'open',
  },
  {
    claim: 'it is reviewed',
    says: /is reviewing|under review|In review/,
    holds: ({ knowledge }) => knowledge.hasSaid('pending') || knowledge.wasRecorded('pending'),
  },
  {
    claim: 'it is reviewed now',
    says: /is reviewing (?:it|the last one)|under review again|:mag: In review(?!,)/,
    holds: ({ knowledge, buttons }) => buttons === undefined || knowledge.current()?.says === 'open',
  },
  {
    claim: 'an earlier call was denied',
    says: /decided against an earlier call/,
    holds: ({ knowledge }) => knowledge.hasSaid('denied'),
  },
  {
    claim: 'nobody knows what became of it since',
    says: /newer event from the order service does not say/,
    holds: ({ knowledge }) => knowledge.current()?.says === 'unclear',
  },
  {
    claim: 'the outcome is known',
    says: /the outcome is known/,
    holds: ({ knowledge }) => knowledge.current()?.by === SERVICE && knowledge.current()?.says !== 'unclear',
  },
  {
    claim: 'the service received it',
    says: /order service has received/,
    holds: ({ knowledge }) => knowledge.hasSaid('accepted', 'pending'),
  },
  {
    claim: 'an outcome has come',
    says: /outcome has been received or recorded/,
    holds: ({ knowledge }) => ![undefined, 'open'].includes(knowledge.current()?.says),
  },
  {
    claim: 'the review was opened again',
    says: /reopened its review/,
    holds: ({ knowledge }) => knowledge.hasSaid('approved', 'denied') && knowledge.hasSaid('pending'),
  },
  {
    claim: 'the review did it',
    says: new RegExp(`(?:confirmed it|${oneOf('did')}) after a review`),
    holds: ({ knowledge }) => knowledge.hasSaid('approved'),
  },
  {
    claim: 'the review decided against it',
    says: /decided against it after a review/,
    holds: ({ knowledge }) => knowledge.hasSaid('denied'),
  },
  {
    claim: 'the service did it',
    says: /order service confirmed it(?! after)/,
    holds: ({ knowledge }) => knowledge.hasSaid('canceled', 'sent', 'approved'),
  },
  {
    claim: 'the service took it',
    says: /order service (?:has )?accepted/,
    holds: ({ knowledge }) => knowledge.hasSaid('accepted', 'pending'),
  },
  {
    claim: 'the service refused it',
    says: /order service refused|did not succeed|Refused by the order service/,
    holds: ({ knowledge }) => knowledge.wasToldOf('refused'),
  },
  {
    claim: 'no answer came',
    says: /did not answer in time|did not finish in time|another id in its answer|failed while|with a redirect|cannot be read$|success and an error|lost before it|was interrupted during|gave up on/m,
    holds: ({ knowledge }) => knowledge.wasLost(),
  },
  {
    claim: 'the service answered so often',
    says: /according to the order service's answer/,
    holds: ({ knowledge }, _found, text) =>
      text.split("according to the order service's answer").length - 1 <= knowledge.answers(),
  },
  {
    claim: 'a person recorded it, and nobody else has said so',
    says: /<@(\w+)> recorded it\.|[Rr]ecorded by <@(\w+)> ·/,
    holds: ({ knowledge }, [, sentence, label]) =>
      [knowledge.current()?.by, knowledge.takenBackBy()].includes(sentence ?? label),
  },
  {
    claim: 'the service has not said so, too',
    says: /has not confirmed this/,
    holds: ({ knowledge }) => ![undefined, SERVICE].includes(knowledge.current()?.by),
  },
  {
    claim: 'a person was wrong',
    says: /(?:This corrects what|Corrected:) (?:<@(\w+)>|they) (?:had )?recorded/,
    holds: ({ knowledge }, [, who]) =>
      who === undefined
        ? knowledge.wasCorrected()
        : knowledge.hasRecorded(who) && (knowledge.current()?.by === SERVICE || knowledge.wasCorrected()),
  },
  {
    claim: 'a person wants it sent again, and has recorded nothing',
    says: /<@(\w+)> (?:wants to send th(?:is|e) request|asked for the request to be sent)/,
    holds: ({ knowledge }, [, who]) => knowledge.hasResent(who, 'retry'),
  },
  {
    claim: 'a person recorded that it was not received, and wants it sent again',
    says: /<@(\w+)> recorded that th(?:is|e) request was not received, and /,
    holds: ({ knowledge }, [, who]) => knowledge.hasResent(who, 'not_received'),
  },
  {
    claim: 'Retry can be pressed below',
    says: /press Retry(?! on the card| in `\/countermand history)/i,
    holds: ({ buttons }) => buttons?.includes('Retry') ?? true,
  },
  {
    claim: 'Retry can be pressed elsewhere',
    says: /press Retry (?:on the card|in)(?:.*?`\/countermand history ?(\w*)`)?/i,
    // The list opens on the open requests: only the id leads to one that has failed.
    holds: ({ onCard }, [, id]) => id !== '' && onCard.includes('Retry'),
  },
  {
    claim: 'the outcome can be recorded below',
    says: /record the outcome here/,
    holds: ({ buttons }) => buttons === undefined || recordsOutcome(buttons),
  },
  {
    claim: 'the outcome can be recorded elsewhere',
    says: /can record the outcome|record the outcome (?:on|in)/,
    holds: ({ onCard }) => recordsOutcome(onCard),
  },
];

/** The claims of a text that do not hold. */
export function falseClaims(text: string, context: Context): string[] {
  return ROWS.flatMap(({ claim, says, holds }) => {
    const found = says.exec(text);
    return found && !holds(context, found, text) ? [`"${claim}" in: ${text}`] : [];
  });
}
