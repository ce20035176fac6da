/** Draws a plan from a seed. */
import { KIND_NAMES, type Kind } from '../../../src/requests/model/kinds.ts';
import { createRandom, type Random } from '../../chaos/random.ts';
import { isReviewed } from '../../support/seen-requests.ts';
import { TEAMS } from '../teams.ts';
import {
  drawCancelElsewhere,
  drawClock,
  drawDecisions,
  drawDeclines,
  drawDisruption,
  drawEarlyVotes,
  drawLostRights,
  drawNobodyLeft,
  drawPause,
  drawPolicy,
  drawRefusedCard,
  drawResentCall,
  drawReviews,
  drawShared,
  drawSuccessor,
  drawUnrequested,
  drawVotes,
  MINUTE_MS,
} from './draw-acts.ts';
import { drawCrowd, drawOperators, drawRenewalStop, drawStorage, nearEvents } from './draw-environment.ts';
import { drawFlips, drawForeign } from './draw-events.ts';
import {
  drawForgotten,
  drawNewEmoji,
  drawRegainedRights,
  drawRequesters,
  withDetails,
} from './draw-people.ts';
import { drawAnswersAgain, drawDoneBefore, withRepetition } from './draw-repetitions.ts';
import { drawShapes } from './event-shapes.ts';
import type { Act, Plan, Request } from './plan.ts';

const AGENTS = ['ana', 'ben'] as const;
const REVIEWED = KIND_NAMES.filter(isReviewed);
/** The reviewed kinds are drawn more often, as more can happen to them. */
const REQUESTED_KINDS = [...REVIEWED, ...REVIEWED, ...KIND_NAMES] as [Kind, ...Kind[]];

export function drawPlan(seed: number): Plan {
  const crowd = drawCrowd(seed);
  return crowd ? crowdedPlan(crowd) : usualPlan(seed);
}

/** The plan of a play with a crowd. No faults hit the other team, which the crowd must not hold up. */
const crowdedPlan = ({ orders, requests, acts }: NonNullable<ReturnType<typeof drawCrowd>>): Plan => ({
  replicas: 2,
  skews: { replicas: [0, 0, 0], slack: 0, service: 0 },
  policies: { acme: undefined, globex: undefined },
  shortPages: [],
  outsideMarketplace: false,
  faultFreeTeam: 'globex',
  orders,
  acts: [...requests, ...acts].sort((a, b) => a.at - b.at),
});

function usualPlan(seed: number): Plan {
  const random = createRandom(seed, 'plan');
  const details = createRandom(seed, 'details of policies');
  const policies = Object.fromEntries(
    TEAMS.map((team) => [team, withDetails(details, drawPolicy(random))]),
  ) as Plan['policies'];
  const faultFreeTeam = random.chance(0.15) ? random.pick(TEAMS) : undefined;
  const shortcuts = createRandom(seed, 'shortcuts');
  const drawnRequests = drawRequests(random, faultFreeTeam ? 0.5 : 0.75).map((request) =>
    shortcuts.chance(0.15) ? { ...request, isFromMessage: true } : request,
  );
  const repeating = createRandom(seed, 'repetitions');
  const requests = withRepetition(repeating, drawnRequests);
  const declines = createRandom(seed, 'declines');
  const leaving = createRandom(seed, 'leaving');
  const events = createRandom(seed, 'events');
  const regaining = createRandom(seed, 'regaining');
  const requesters = drawRequesters(
    createRandom(seed, 'requesters'),
    requests.filter(({ team }) => team !== faultFreeTeam),
  );
  const drawn = faultFreeTeam ? { acts: [] } : drawStorage(seed);
  const { acts: failOvers, replicas = random.pick([1, 2, 2, 3, 3]), ...storage } = drawn;
  const renewal = drawRenewal(createRandom(seed, 'renewal'));
  const { acts: repeatedCalls, ...answering } = drawAnswersAgain(
    createRandom(seed, 'repeated calls'),
    requests,
  );
  const acts: Act[] = [
    ...requests,
    ...repeatedCalls,
    ...requests.flatMap((request) => (policies[request.team] ? drawAllVotes(random, request) : [])),
    ...requests.flatMap((request) => {
      const policy = faultFreeTeam ? undefined : policies[request.team];
      return policy ? drawLostRights(random, request, policy) : [];
    }),
    ...requests.flatMap((request) => {
      const policy = faultFreeTeam ? undefined : policies[request.team];
      return policy ? drawNobodyLeft(leaving, request, policy) : [];
    }),
    ...requests.flatMap((request) => {
      const policy = faultFreeTeam ? undefined : policies[request.team];
      return policy ? drawRegainedRights(regaining, request, policy) : [];
    }),
    ...requests.flatMap((request) => {
      const policy = policies[request.team];
      return policy ? drawNewEmoji(details, request, policy) : [];
    }),
    ...requests.flatMap((request) => drawDoneBefore(repeating, request)),
    ...requesters.acts,
    ...(faultFreeTeam ? [] : drawForgotten(createRandom(seed, 'forgotten'))),
    ...requests.flatMap((request) => (policies[request.team] ? drawDeclines(declines, request) : [])),
    ...requests.flatMap((request) => drawReviews(random, request)),
    ...requests.flatMap((request) => drawDecisions(random, request)),
    ...requests.flatMap((request) => drawResentCall(random, request)),
    ...requests.flatMap((request) => drawSuccessor(random, request, requests.length + request.n)),
    ...requests.flatMap((request) => drawCancelElsewhere(random, request)),
    ...requests.flatMap((request) =>
      request.team === faultFreeTeam ? [] : drawRefusedCard(random, request),
    ),
    ...(random.chance(0.4) ? drawDisruption(random) : []).filter(
      (act) => !('team' in act && act.team === faultFreeTeam),
    ),
    ...(random.chance(0.15) && !faultFreeTeam ? [drawClock(random)] : []),
    ...drawUnrequested(createRandom(seed, 'unrequested')),
    ...(faultFreeTeam ? [] : drawShared(createRandom(seed, 'shared'))),
    ...requests.flatMap((request) => [...drawFlips(events, request), ...drawForeign(events, request)]),
    ...drawOperators(seed, faultFreeTeam === undefined),
    ...(faultFreeTeam ? [] : drawRenewalStop(createRandom(seed, 'renewal stop'), renewal.renewalInMs)),
    ...drawPause(
      createRandom(seed, 'pause'),
      requests.filter(({ team }) => team !== faultFreeTeam),
    ),
  ];
  return {
    replicas,
    ...storage,
    ...(createRandom(seed, 'days').chance(0.04) ? { goesOn: true } : {}),
    ...renewal,
    skews: {
      replicas: [0, 1, 2].map(() => random.between(-3_000, 3_000)),
      slack: random.between(-15 * MINUTE_MS, 15 * MINUTE_MS),
      service: random.between(-500, 500),
    },
    policies,
    ...drawLimit(createRandom(seed, 'limit')),
    ...drawShapes(createRandom(seed, 'shapes of events')),
    ...answering,
    ...(requesters.hasRequesters && { hasRequesters: true }),
    shortPages: random.chance(0.3) ? [1, 2] : [],
    outsideMarketplace: random.chance(0.1),
    faultFreeTeam,
    faultsContinueMs: random.pick([2, 2, 12]) * MINUTE_MS,
    acts: [...acts, ...nearEvents(seed, failOvers, acts)].sort((a, b) => a.at - b.at),
  };
}

/** In some plays the tokens of the bot expire: within minutes they are due to be renewed. */
const drawRenewal = (random: Random): Pick<Plan, 'renewalInMs'> =>
  random.chance(0.15) ? { renewalInMs: random.between(5_000, 8 * MINUTE_MS) } : {};

/** Few plays have a limit, since nothing follows a refused request. */
const drawLimit = (random: Random): Pick<Plan, 'requestsPerHour'> =>
  random.chance(0.9) ? {} : { requestsPerHour: random.between(1, 3) };

function drawAllVotes(random: Random, request: Request): Act[] {
  if (random.chance(0.2)) return drawEarlyVotes(request);
  return random.chance(0.85) ? drawVotes(random, request) : [];
}

/** @param share the probability that a request belongs to the first team */
function drawRequests(random: Random, share: number): Request[] {
  const count = random.between(2, 5);
  return Array.from({ length: count }, (_, n) => ({
    type: 'request',
    n,
    at: random.chance(0.5) ? random.between(0, 3_000) : random.between(0, 4 * MINUTE_MS),
    team: random.chance(share) ? 'acme' : 'globex',
    by: random.pick(AGENTS),
    kind: random.pick(REQUESTED_KINDS),
    item: random.pick([1, 2, 2, 3]),
    ...(random.chance(0.1) ? { isLong: true } : {}),
  }));
}
