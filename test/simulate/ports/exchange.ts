/** One HTTP exchange on a network that loses, delays and doubts; what the other side does is given. */
import { ClaimLostError, type Exchange, type HttpAnswer, type Limits } from '../../../src/http/exchange.ts';
import { amountOf, type Place } from '../draw/fates.ts';
import { teamOf } from '../world/slack-side.ts';
import { arrived, type Machine, setOut } from './machine.ts';

/** The other side. It may be called long after whoever asked has given up. */
export type Serve = (fate: string) => HttpAnswer;

type Asked = {
  place: Extract<Place, 'slack' | 'service'>;
  name: string;
  /** The team that has it in its name is the one that this is done for. */
  token: string;
  limits: Limits;
  /** Asked in the tick of the write. */
  inTime: () => boolean;
  /** Told in the tick of the write. */
  onLeaving?: () => void;
  /** Done once a connection stands, before the write. @throws where nothing may be written */
  check?: () => Promise<void>;
  serve: Serve;
  /** Told of each answer that has reached the process, and of what it was. */
  onAnswered?: (answer: HttpAnswer) => void;
};

const REFUSED: HttpAnswer = { status: 500, headers: {}, body: 'upstream failure' };
const GARBAGE: HttpAnswer = { status: 200, headers: {}, body: '<html><body>OK</body></html>' };

/** How a fault of the other side changes what is served. */
function served(fate: string, serve: Serve): HttpAnswer {
  if (fate.startsWith('429'))
    return { status: 429, headers: { 'retry-after': `${amountOf(fate)}` }, body: '{}' };
  if (fate === '500') return REFUSED;
  const answer = serve(fate);
  if (fate === '500 after') return REFUSED;
  return fate === 'garbage after' ? GARBAGE : answer;
}

/** @returns what src/http/exchange.ts would: it tells whether anything was sent */
export function exchangeOver(machine: Machine, asked: Asked): Promise<Exchange> {
  const { timeline, life } = machine;
  const { place, name, token, limits, inTime, check = async () => {}, serve } = asked;
  const { onLeaving = () => {}, onAnswered = () => {} } = asked;
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const deadline = timeline.now() + limits.deadlineMs;
  const { fate, there, back } = setOut(machine, place, name, teamOf(token));
  let isSent = false;
  let isOver = false;

  function finish(result: Exchange): void {
    if (isOver) return;
    isOver = true;
    cancelDeadline();
    resolve(result);
  }
  const failed = (cause: Error, timedOut = false): Exchange => ({
    type: 'failed',
    sent: isSent,
    timedOut,
    head: undefined,
    cause,
  });

  /** Both guards are asked in the tick of the write, as in src/http/exchange.ts. */
  function write(): void {
    if (isOver) return;
    if (timeline.now() > deadline) finish(failed(new Error('The deadline has passed.')));
    else if (!inTime())
      finish(failed(new ClaimLostError('The claim had expired when the request was to be written.')));
    else {
      isSent = true;
      onLeaving();
      travel();
    }
  }

  function travel(): void {
    if (fate === 'lost') return;
    const delay = fate.startsWith('late') ? amountOf(fate) : there;
    timeline.after(delay, () => {
      const answer = served(fate, serve);
      arrived(machine, fate);
      if (fate === 'answer lost') {
        timeline.after(back, () => life.enter(() => finish(failed(new Error('socket hang up')))));
        return;
      }
      const late = fate === 'answer late' ? limits.deadlineMs - 10 : back;
      timeline.after(late, () =>
        life.enter(() => {
          if (!isOver) onAnswered(answer);
          finish({ type: 'answered', answer });
        }),
      );
    });
  }

  // Data that came while the process was frozen are read before its timers are believed (socketsPolled).
  const cancelDeadline = timeline.after(limits.deadlineMs, () =>
    life.enter(() =>
      timeline.after(1, () => life.enter(() => finish(failed(new Error('The deadline has passed.'), true)))),
    ),
  );
  if (fate === 'refused') {
    const refusal = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    timeline.after(there, () => life.enter(() => finish(failed(refusal))));
    return promise;
  }
  life.enter(() => {
    check().then(
      // A process can be frozen between any two instructions.
      () => life.enter(write),
      (cause) => finish(failed(cause)),
    );
  });
  return promise;
}
