import { z } from 'zod';
import { FaultSchema } from '../faults/fault-schema.ts';
import type { Faults, ScheduledFault } from '../faults/faults.ts';
import type { Journal, JournalEntry } from '../http/journal.ts';
import { type ControlRoute, nothing, route } from './control.ts';

const Rule = z.strictObject({
  on: z.string().min(1),
  fault: FaultSchema,
  where: z.record(z.string(), z.unknown()).default({}),
  times: z.int().min(1).default(1),
  skip: z.int().min(0).default(0),
});

/** Routes that schedule, list, cancel and release faults. */
export function faultRoutes(faults: Faults): ControlRoute[] {
  const find = (id: string | undefined) => {
    const found = faults.list().find((each) => each.id === id);
    if (!found) throw new Error(`there is no fault ${id}`);
    return found;
  };
  return [
    route('GET', '/control/faults', nothing, () => faults.list().map(show)),
    route('POST', '/control/faults', Rule, ({ input }) => show(faults.schedule(input))),
    route('POST', '/control/faults/:id/release', nothing, ({ params }) => find(params['id']).release()),
    route('DELETE', '/control/faults/:id', nothing, ({ params }) => find(params['id']).cancel()),
  ];
}

const show = ({ id, rule, remaining }: ScheduledFault) => ({ id, ...rule, remaining });

const Filter = z.strictObject({
  from: z.string().optional(),
  to: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  after: z.coerce.number().int().default(0),
});

/** Routes that read the journal. */
export function journalRoutes(journal: Journal): ControlRoute[] {
  return [
    route('GET', '/control/journal', Filter, ({ input: { after, ...fields } }) => {
      const isMeant = (entry: JournalEntry) =>
        entry.n > after &&
        Object.entries(fields).every(
          ([key, value]) => value === undefined || entry[key as keyof JournalEntry] === value,
        );
      return journal.entries(isMeant);
    }),
  ];
}
