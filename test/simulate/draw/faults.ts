/** The faults that the simulation injects, and how often each happens in a play. */
import type { Random } from '../../chaos/random.ts';
import type { Options } from './choices.ts';

/** Milliseconds. A freeze may outlast a claim (60 s), the wait after a doubtful post, and the search that follows. */
const FREEZES = [20_000, 40_000, 70_000, 130_000, 400_000];
/** Milliseconds. Shorter than the time in which a written request may take effect (Timings.appearMs). */
const LATE = [3_000, 15_000, 70_000, 240_000];

/** Faults by kind, with weights. Each play has some of the kinds, so that each happens alone and together with others. */
const FAULTS = {
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
    // The bot reads the denial only when it may have sent the request again.
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
  // A gateway of the service refuses the token for once.
  unauthorized: [['401', 1]],
  suspended: [['suspended', 1]],
  // The answer to an update is lost, and Slack takes no updates from the moment at which it would be repeated.
  'suspended later': [['answer lost, suspended 1200000', 1]],
  hidden: LATE.map((ms): [string, number] => [`hidden ${ms}`, 1]),
} as const satisfies Record<string, readonly (readonly [string, number])[]>;

export type FaultKind = keyof typeof FAULTS;
const FAULT_KINDS = Object.keys(FAULTS) as [FaultKind, ...FaultKind[]];

/** The boundaries of a process, at which faults are injected. */
export type Boundary = 'storage' | 'slack' | 'service' | 'delivery';

/** The kinds of faults that are possible at each boundary. */
const KINDS_AT: Record<Boundary, readonly FaultKind[]> = {
  storage: ['jitter', 'crash', 'freeze', 'lost', 'answer lost', 'late'],
  slack: FAULT_KINDS.filter((each) => !/odd|unauthorized/.test(each)),
  service: FAULT_KINDS.filter((each) => !/hidden|suspended/.test(each)),
  delivery: ['jitter', 'lost', 'answer lost', 'late'],
};

/** Faults with their rates. `inFocus`: rates for the middle of some effects, where faults are more frequent. */
export type FaultRates = Record<Boundary, Options> & {
  inFocus?: Partial<Record<FocusableEffect, Record<Boundary, Options>>>;
};

/** Effects of a request, by the first word of their name; `use_case`: whatever is done for a person or an event. */
const FOCUSABLE_EFFECTS = ['post', 'find', 'update', 'tidy', 'confirm_votes', 'call', 'use_case'] as const;
type FocusableEffect = (typeof FOCUSABLE_EFFECTS)[number];

export const NO_FAULTS: FaultRates = { storage: [], slack: [], service: [], delivery: [] };

/** Faults in a thousand operations; a play has hundreds of operations. */
const RATES: Record<Boundary, readonly [number, ...number[]]> = {
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

/** @returns the fault rates of one play */
export function drawFaultRates(random: Random): FaultRates {
  const usual = drawOptions(
    random,
    FAULT_KINDS.filter(() => random.chance(0.45)),
    RATES,
  );
  return random.chance(0.4) ? usual : { ...usual, inFocus: drawFocus(random) };
}

/** Combines rare faults with rare effects. A search or a tidy follows only a doubtful post, so posts get faults as well. */
function drawFocus(random: Random): NonNullable<FaultRates['inFocus']> {
  const effects = random.shuffled(FOCUSABLE_EFFECTS).slice(0, random.between(1, 2));
  const isSearch = effects.some((effect) => effect === 'find' || effect === 'tidy');
  // A tidy comes minutes after its post. Only a call that is put off for as long leaves a request queued until then.
  const isCallPutOff = effects.includes('tidy') && random.chance(0.3);
  return {
    ...(isCallPutOff && { call: drawOptions(random, ['limited'], FOCUSED_RATES) }),
    ...(isSearch && { post: drawOptions(random, ['lost', 'answer lost', 'late', 'hidden'], FOCUSED_RATES) }),
    ...Object.fromEntries(
      effects.map((effect) => {
        const kinds = random.shuffled(FAULT_KINDS).slice(0, random.between(1, 3));
        // A call that is sent again was in doubt before.
        const present = effect === 'call' ? [...kinds, 'answer lost' as const] : kinds;
        return [effect, drawOptions(random, present, FOCUSED_RATES)];
      }),
    ),
  };
}

function drawOptions(
  random: Random,
  present: readonly FaultKind[],
  rates: typeof RATES,
): Record<Boundary, Options> {
  const of = (boundary: Boundary): Options => {
    const options = KINDS_AT[boundary]
      .filter((each) => present.includes(each))
      .flatMap((each) => [...FAULTS[each]]);
    const sum = options.reduce((all, [, weight]) => all + weight, 0);
    const rate = random.pick(rates[boundary]);
    return options.map(([take, weight]) => [take, (weight / sum) * rate]);
  };
  return { storage: of('storage'), slack: of('slack'), service: of('service'), delivery: of('delivery') };
}

/** The faults that may happen at a boundary. @param effect the name of the current effect; undefined: none */
export function faultOptions(
  faultRates: FaultRates,
  boundary: Boundary,
  effect: string | undefined,
): Options {
  const [name] = (effect ?? 'use_case').split(' ', 1);
  return faultRates.inFocus?.[name as FocusableEffect]?.[boundary] ?? faultRates[boundary];
}

/** The faults that can be confined to one workspace: no crash, no freeze, and the service accepts connections. */
export function faultsOfOneWorkspace({ slack, service }: FaultRates): FaultRates {
  const isConfined = ([take]: Options[number]) => !/crash|freeze|refused/.test(take);
  return { ...NO_FAULTS, slack: slack.filter(isConfined), service: service.filter(isConfined) };
}

/** The number at the end of a fault: 3000 of "late 3000". */
export const amountOf = (fault: string): number => Number(/-?\d+$/.exec(fault)?.[0] ?? 0);

/**
 * Faults that lose no answer. New tokens in a lost answer are gone, and Slack soon revokes the old ones: the workspace has
 * to be installed again (docs/reliability.md).
 */
export const withoutLoss = (options: Options): Options =>
  options.filter(([take]) => /^(\+|refused|429|500$)/.test(take));
