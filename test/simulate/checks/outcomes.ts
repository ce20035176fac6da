/** Compares what each request says in the end with what the order service holds. */
import { receiptOf } from '../../../src/requests/model/facts/receipt.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import type { World } from '../replica.ts';
import type { MadeCall } from '../witness.ts';
import type { Team } from '../world/slack-side.ts';

export function checkOutcomes(world: World): void {
  for (const { record } of world.stored.requests.entries()) {
    // Nothing is known of a workspace after it has left: a process that was frozen may write the same request again.
    const calls = world.witness.calls.filter(
      ({ request, at }) => request === record.id && at >= record.createdAt,
    );
    checkClaims(world, record, calls);
    checkKnown(world, record, calls);
  }
}

const isAccepted = ({ status }: MadeCall): boolean => status !== undefined && status < 300;

/** Checks that a request says what the service holds; a person may have recorded something else. */
function checkClaims(world: World, record: RequestRecord, calls: readonly MadeCall[]): void {
  const { witness, told } = world;
  const { state, target } = record;
  // The service may have had no endpoint to post to, if the workspace was disconnected.
  if (told.some(({ order, isTaken }) => order === target && !isTaken)) return;
  const held = heldBy(world, record);
  const { cause } = currentStep(record);
  const isPersons = cause.type === 'person';
  if (
    (state === 'canceled' || state === 'approved') &&
    !isPersons &&
    !['canceled', 'approved'].includes(held)
  )
    witness.violated(`outcome: ${target} is said to be ${state}, and is ${held}`);
  if (state === 'sent' && !isPersons && !calls.some(isAccepted))
    witness.violated(`outcome: ${target} is said to be sent, and nothing was accepted`);
  if (state === 'denied' && !isPersons && held !== 'denied' && isOnly(world, record))
    witness.violated(`outcome: ${target} is said to be denied, and is ${held}`);
  if (state === 'failed' && calls.some(isAccepted))
    witness.violated(`outcome: ${target} is said to be refused, and was accepted`);
  const isUnsent = receiptOf(record) === 'none' || receiptOf(record) === 'refused';
  if (isUnsent && calls.some(isAccepted))
    witness.violated(`outcome: nothing of ${target} is said to be received, and it was accepted`);
}

/** Whether no other request was about the same: else what the service holds may be that one's. */
const isOnly = ({ stored }: World, { target }: RequestRecord): boolean =>
  [...stored.requests.entries()].filter(({ record }) => record.target === target).length === 1;

function heldBy({ service }: World, { workspace, kind, target }: RequestRecord): string {
  const team = workspace.slice(1).toLowerCase();
  const organization = service.organizations.get(team);
  return kind === 'cancel_order'
    ? (organization?.orders.get(target)?.cancellation?.status ?? 'untouched')
    : (organization?.offers.get(target)?.status ?? 'untouched');
}

/** A process that ends before it has written an answer down takes it with it; one that was frozen for minutes writes later. */
const WRITTEN_WITHIN_MS = 15 * 60_000;

/** Whether a process has read what became of a call, and has lived to write it down. */
function hasTold({ answer, body }: MadeCall): boolean {
  if (!answer || answer.status >= 300 || answer.body !== JSON.stringify(body)) return false;
  return answer.by.endedAt() > answer.at + WRITTEN_WITHIN_MS;
}

/** Nothing that is known is dropped: an answer that has arrived, and an event that was taken, move what is unknown. */
function checkKnown(world: World, record: RequestRecord, calls: readonly MadeCall[]): void {
  const { witness, told } = world;
  const { state, target, kind } = record;
  const last = calls.at(-1);
  if (state === 'unknown' && last && hasTold(last))
    witness.violated(`known: the answer about ${target} has come, and it is still unknown`);
  if (kind !== 'cancel_order') return;
  const held = heldBy(world, record);
  const team = record.workspace.slice(1).toLowerCase() as Team;
  const isTold = told.some(
    (each) => each.team === team && each.order === target && each.status === held && each.isTaken,
  );
  const isOpen = state === 'unknown' || (state === 'under_review' && held !== 'pending');
  if (isOpen && isTold && calls.some(isAccepted) && isOnly(world, record))
    witness.violated(`event: ${target} is ${held}, the bot was told so, and says ${state}`);
}
