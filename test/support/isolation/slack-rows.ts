/**
 * The rows for each route of slackRoutes(): what somebody of one workspace (`me`) tries with data of another one (`theirs`), and
 * the answer to that. Each feature has a file in rows/.
 */
import type { FeatureRows, Rows } from './row.ts';
import { approvalRows } from './rows/approval.ts';
import { connectionRows } from './rows/connection.ts';
import { countermandRows } from './rows/countermand.ts';
import { homeRows } from './rows/home.ts';
import { lifecycleRows } from './rows/lifecycle.ts';
import { mentionRows } from './rows/mention.ts';
import { requestRows } from './rows/request.ts';
import { customerReplyRows, resolveRows } from './rows/resolve.ts';
import { settingsRows } from './rows/settings.ts';
import { subBrandsRows } from './rows/sub-brands.ts';

/** The connection comes last: a row of it disconnects the caller's own workspace. */
const FEATURES: readonly FeatureRows[] = [
  requestRows,
  approvalRows,
  resolveRows,
  customerReplyRows,
  settingsRows,
  subBrandsRows,
  countermandRows,
  homeRows,
  lifecycleRows,
  mentionRows,
  connectionRows,
];

const ofAll = (table: keyof FeatureRows): Rows =>
  Object.assign({}, ...FEATURES.map((rows) => rows[table] ?? {}));

export const SLACK_ROWS = {
  commands: ofAll('commands'),
  shortcuts: ofAll('shortcuts'),
  actions: ofAll('actions'),
  options: ofAll('options'),
  events: ofAll('events'),
  views: ofAll('views'),
};
