/** The fates of messages, calls and operations, and how often each happens in a play. */
import type { Random } from '../../chaos/random.ts';
import type { Options } from './choices.ts';

/** Milliseconds. A frozen process may sleep through its claim (60 s), through its doubt and through the search after it. */
const FREEZES = [20_000, 40_000, 70_000, 130_000, 400_000];
/** Less than a request that was written may take to appear (Timings.appearMs). */
const LATE = [3_000, 15_000, 70_000, 240_000];

/** Kinds of bad luck. Each play has some of them, so that each is met alone and together with others. */
const TROUBLES = {
  jitter: [
    ['+5', 3],
    ['+40', 3],
    ['+400', 2],
    ['+2500', 1],
  ],
  crash: [
    ['crash before', 1],
    ['crash after', 1],
  ],
  freeze: FREEZES.flatMap((ms): [string, number][] => [
    [`freeze before ${ms}`, 1],
    [`freeze after ${ms}`, 1],
  ]),
  'freeze and crash': [['crash after, freeze before 400000', 1]],
  odd: [
    ['odd word', 1],
    ['no word', 1],
    ['denied at once', 1],
    // Heard only when the request may have been sent again.
    ['denied at once, freeze after 130000', 1],
  ],
  lost: [
    ['lost', 3],
    ['refused', 2],
  ],
  'answer lost': [
    ['answer lost', 3],
    ['answer late', 2],
  ],
  late: LATE.map((ms): [string, number] => [`late ${ms}`, 1]),
  limited: [
    ['429 5', 2],
    ['429 30', 2],
    ['429 400', 1],
  ],
  error: [
    ['500', 2],
    ['500 after', 2],
    ['garbage after', 2],
  ],
  hidden: LATE.map((ms): [string, number] => [`hidden ${ms}`, 1]),
} as const satisfies Record<string, readonly (readonly [string, number])[]>;

export type Trouble = keyof typeof TROUBLES;
export const TROUBLE_NAMES = Object.keys(TROUBLES) as [Trouble, ...Trouble[]];

/** The faults that each kind of operation can meet. */
const OF: Record<Place, readonly Trouble[]> = {
  storage: ['jitter', 'crash', 'freeze', 'lost', 'answer lost', 'late'],
  slack: TROUBLE_NAMES.filter((each) => each !== 'odd'),
  service: TROUBLE_NAMES.filter((each) => each !== 'hidden'),
  delivery: ['jitter', 'lost', 'answer lost', 'late'],
};
export type Place = 'storage' | 'slack' | 'service' | 'delivery';

/** `inFocus`: in the middle of some effects other things happen, and more often. */
export type Fates = Record<Place, Options> & {
  inFocus?: Partial<Record<FocusedAct, Record<Place, Options>>>;
};

/** Effects of a request, by the first word of what is done under their claim. */
const FOCUSED_ACTS = ['post', 'find', 'update', 'tidy', 'confirm_votes', 'call'] as const;
type FocusedAct = (typeof FOCUSED_ACTS)[number];

/** No faults at all. */
export const NO_FATES: Fates = { storage: [], slack: [], service: [], delivery: [] };

/** How often in a thousand anything happens that is not usual; a play is made of hundreds of operations. */
const RATES: Record<Place, readonly [number, ...number[]]> = {
  storage: [0, 2, 5, 15],
  slack: [10, 30, 100, 250],
  service: [50, 150, 400],
  delivery: [0, 100, 300],
};

const FOCUSED_RATES: typeof RATES = {
  storage: [30, 100],
  slack: [200, 500],
  service: [300, 700],
  delivery: [0],
};

/** @returns how likely what is in one play */
export function drawFates(random: Random): Fates {
  const usual = drawOptions(
    random,
    TROUBLE_NAMES.filter(() => random.chance(0.45)),
    RATES,
  );
  return random.chance(0.4) ? usual : { ...usual, inFocus: drawFocus(random) };
}

/** Rare troubles in the middle of rare effects. What is looked for or tidied was posted in doubt before. */
function drawFocus(random: Random): NonNullable<Fates['inFocus']> {
  const acts = random.shuffled(FOCUSED_ACTS).slice(0, random.between(1, 2));
  const isSearch = acts.some((act) => act === 'find' || act === 'tidy');
  return {
    ...(isSearch && { post: drawOptions(random, ['lost', 'answer lost', 'late', 'hidden'], FOCUSED_RATES) }),
    ...Object.fromEntries(
      acts.map((act) => {
        const troubles = random.shuffled(TROUBLE_NAMES).slice(0, random.between(1, 3));
        return [act, drawOptions(random, troubles, FOCUSED_RATES)];
      }),
    ),
  };
}

function drawOptions(
  random: Random,
  present: readonly Trouble[],
  rates: typeof RATES,
): Record<Place, Options> {
  const of = (place: Place): Options => {
    const options = OF[place].filter((each) => present.includes(each)).flatMap((each) => [...TROUBLES[each]]);
    const sum = options.reduce((all, [, weight]) => all + weight, 0);
    const rate = random.pick(rates[place]);
    return options.map(([take, weight]) => [take, (weight / sum) * rate]);
  };
  return { storage: of('storage'), slack: of('slack'), service: of('service'), delivery: of('delivery') };
}

/** How likely what is at a place. @param act what is done there, in the middle of an effect */
export function optionsAt(fates: Fates, place: Place, act: string | undefined): Options {
  const { inFocus } = fates;
  return (act && inFocus?.[act.split(' ', 1)[0] as FocusedAct]?.[place]) || fates[place];
}

/** The faults that one workspace alone can meet: no process ends or stops, and the service can be reached. */
export function ofOneWorkspace({ slack, service }: Fates): Fates {
  const isIts = ([take]: Options[number]) => !/crash|freeze|refused/.test(take);
  return { ...NO_FATES, slack: slack.filter(isIts), service: service.filter(isIts) };
}

/** The number at the end of a fate: "late 3000". */
export const amountOf = (fate: string): number => Number(/-?\d+$/.exec(fate)?.[0] ?? 0);
