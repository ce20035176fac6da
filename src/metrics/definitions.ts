/**
 * Defines the metrics, in the format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). No label
 * holds an id, a name or a text of anybody; the workspace is one only if METRICS_PER_WORKSPACE is set.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { KIND_NAMES } from '../requests/model/kinds.ts';

type MetricsOptions = { perWorkspace: boolean; version: string; commit: string };

export type Definitions = ReturnType<typeof defineMetrics>;

/** Requests wait for people and for reviews of days; calls and storage take milliseconds to seconds. */
const LONG_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 259_200];
const SHORT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30];
const STORAGE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** All reasons of refusals. Their counters begin at 0: alarms see no increase of a counter that begins with its first event. */
const REFUSALS = {
  slack: ['no_signature', 'wrong_signature', 'wrong_time', 'malformed'],
  order_service: ['no_signature', 'wrong_signature', 'malformed', 'too_many', 'unknown_endpoint'],
};

/** Calls to the order service by operation and outcome (observe-ports.ts), of which alarms count a share. */
const SERVICE_METHODS = [...KIND_NAMES, 'list_sub_brands', 'revoke_token'];
const SERVICE_OUTCOMES = [
  'ok',
  'refused',
  'rate_limited',
  'server_error',
  'inconclusive',
  'no_answer',
  'not_sent',
  'stopped',
];

/**
 * `refused`: Slack refuses the token. `lacks_scopes`: it has not all scopes. `not_renewed`: it expires, and Slack does not
 * replace it.
 */
export const TOKEN_STATES = ['refused', 'lacks_scopes', 'not_renewed'] as const;

/** The metrics of Node, once for all bots of this process: what prom-client starts to measure them can't be stopped. */
const ofNode = new Registry();

export function defineMetrics({ perWorkspace, version, commit }: MetricsOptions) {
  if (ofNode.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: ofNode });
  const registry = Registry.merge([ofNode]);
  const named = (series: string, help: string) => {
    const [name, ...labels] = series.split(/\W/).filter(Boolean);
    const labelNames = labels.filter((label) => perWorkspace || label !== 'workspace');
    return { name: `countermand_${name}`, help, labelNames, registers: [registry] };
  };
  const define: Define = {
    counter: (...given) => new Counter(named(...given)),
    gauge: (...given) => new Gauge(named(...given)),
    histogram: (buckets, ...given) => new Histogram({ ...named(...given), buckets }),
  };

  define
    .gauge('build_info{version,commit,node}', 'Always 1. The labels name what runs.')
    .set({ version, commit, node: process.version }, 1);
  const defined = {
    registry,
    /** The labels that a record has because of its workspace: none, unless METRICS_PER_WORKSPACE is set. */
    labelsOf: (workspace: string): Record<string, string> => (perWorkspace ? { workspace } : {}),
    ...requestMetrics(define),
    ...callMetrics(define),
    ...stateMetrics(define),
  };
  for (const [from, reasons] of Object.entries(REFUSALS))
    for (const reason of reasons) defined.refusedRequests.inc({ from, reason }, 0);
  for (const method of SERVICE_METHODS)
    for (const outcome of SERVICE_OUTCOMES) defined.serviceCalls.inc({ method, outcome }, 0);
  for (const state of TOKEN_STATES) defined.slackTokens.set({ state }, 0);
  for (const result of ['written', 'failed']) defined.auditLines.inc({ result }, 0);
  return defined;
}

/** `series`: the name and the labels, such as `votes_total{way,type}`. `workspace` is one only with METRICS_PER_WORKSPACE. */
type Define = {
  counter: (series: string, help: string) => Counter;
  gauge: (series: string, help: string) => Gauge;
  histogram: (buckets: number[], series: string, help: string) => Histogram;
};

const requestMetrics = ({ counter, histogram }: Define) => ({
  requests: counter('requests_total{kind,workspace}', 'Requests that were made.'),
  steps: counter('request_steps_total{kind,state,workspace}', 'States that requests have entered.'),
  outcomeSeconds: histogram(
    LONG_SECONDS,
    'request_outcome_seconds{kind,state}',
    'From the request to each state that ends it.',
  ),
  votes: counter('votes_total{way,type}', 'Votes, by button or reaction, and what became of each.'),
  refusedVotes: counter('refused_votes_total{reason}', 'Votes that do not count.'),
  decisionSeconds: histogram(
    LONG_SECONDS,
    'decision_seconds{kind,choice}',
    'From the wait for approval to the decision.',
  ),
  effects: counter(
    'effects_total{effect,result}',
    'Posts, updates, searches, tidies and calls, for requests and notices.',
  ),
  effectSeconds: histogram(
    SHORT_SECONDS,
    'effect_seconds{effect}',
    'How long posts, updates, searches, tidies and calls took.',
  ),
  tidied: counter(
    'messages_tidied_total{how}',
    'Copies of messages that were removed, or replaced by a link.',
  ),
  claimsExpired: counter('claims_expired_total', 'Claims of processes that died or froze.'),
  unreplicated: counter('claims_unreplicated_total', 'Claims that were not on all replicas of the storage.'),
});

const callMetrics = ({ counter, gauge, histogram }: Define) => ({
  acknowledgementSeconds: histogram(
    SHORT_SECONDS,
    'acknowledgement_seconds',
    "From Slack's request to the bot's answer. People see an error after 3 s.",
  ),
  lateAcknowledgements: counter('late_acknowledgements_total', 'Requests of Slack not answered within 3 s.'),
  slackCalls: counter('slack_calls_total{method,outcome}', 'Calls to the Web API.'),
  slackSeconds: histogram(SHORT_SECONDS, 'slack_call_seconds{method}', 'How long calls to the Web API took.'),
  serviceCalls: counter('order_service_calls_total{method,outcome}', 'Calls to the order service.'),
  serviceSeconds: histogram(
    SHORT_SECONDS,
    'order_service_call_seconds{method}',
    'How long calls to the order service took.',
  ),
  events: counter('events_total{answer}', 'Events of the order service with a valid signature.'),
  lastEvent: gauge('last_event_timestamp_seconds', 'When the last event arrived at this process; 0: none.'),
  refusedRequests: counter(
    'refused_requests_total{from,reason}',
    'Requests that were refused before anything was read.',
  ),
  pauses: counter('pauses_total{what}', 'Pauses that began: of sending, or of calls to the order service.'),
  slackReachable: gauge(
    'slack_reachable',
    '0 while calls to Slack get no answer, or Socket Mode has no connection, otherwise 1.',
  ),
  clockOffset: gauge('clock_offset_seconds', "This machine's clock less Slack's; negative: behind."),
  storageClockOffset: gauge(
    'storage_clock_offset_seconds',
    "The clock of the storage less this machine's; negative: behind.",
  ),
});

const stateMetrics = ({ counter, gauge, histogram }: Define) => ({
  slackTokens: gauge(
    'slack_tokens{state}',
    'Slack tokens that cannot be used, as this process has last heard.',
  ),
  eventsSecrets: gauge(
    'events_secrets{state}',
    'Workspaces by whether events came within the last hour that were not signed with their secret.',
  ),
  unopened: gauge('unopened_secrets', 'Workspaces with secrets that no key opens, as of the start.'),
  faults: counter('faults_total', 'Faults: what people were shown a reference for.'),
  logLines: counter('log_lines_total{level}', 'Lines of the log, repeated ones included.'),
  storageSeconds: histogram(
    STORAGE_SECONDS,
    'storage_seconds{operation}',
    'How long operations on requests took.',
  ),
  storageFailures: counter('storage_failures_total{operation}', 'Operations on requests that failed.'),
  auditLines: counter('audit_lines_total{result}', 'Entries written to AUDIT_FILE, and tries that failed.'),
  storageWritable: gauge('storage_writable', '1 if the storage takes writes, otherwise 0.'),
  open: gauge('open_requests{kind,state,workspace}', 'Requests that hold their order or offer.'),
  oldestOpen: gauge(
    'oldest_open_request_seconds{state,workspace}',
    'The age of the oldest request in a state; 0: none.',
  ),
  due: gauge(
    'due_requests',
    'Requests with an effect that is due; updates and checks of a pause do not count.',
  ),
  oldestDue: gauge(
    'oldest_due_seconds',
    'For how long the oldest effect that countermand_due_requests counts has been due; 0: none.',
  ),
  connections: gauge('connections{state}', 'Workspaces by the state of their token.'),
  sendingPaused: gauge(
    'workspaces_paused',
    'Workspaces in which an admin or the operator has paused sending.',
  ),
});
