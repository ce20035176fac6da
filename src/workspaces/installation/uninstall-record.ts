/** Records that a workspace or an organization seems to have uninstalled Countermand, so that it is seen through. */
import { z } from 'zod';
import type { Entry } from '../../requests/ports/record-store.ts';

const Shape = z.object({
  /** The id of the installation: of a workspace or, where it was org-wide, of the organization. */
  workspace: z.string(),
  /** The organization that seems to have taken its org-wide installation out of this one workspace. */
  organization: z.string().optional(),
  id: z.string(),
  version: z.number(),
  /** When Slack first told, epoch milliseconds. */
  at: z.number(),
  /** Whether it was told that the app is uninstalled; tokens alone may be revoked because somebody wants others. */
  uninstalled: z.boolean(),
  step: z.discriminatedUnion('type', [
    /** Slack is asked whether the bot token still works. `stood`: how often it did. */
    z.object({ type: z.literal('verify'), stood: z.number() }),
    /** It does not, and so the API tokens that nobody else uses are revoked, for as long as that is tried. */
    z.object({ type: z.literal('revoke'), generation: z.string(), until: z.number() }),
    /** All that is stored goes. */
    z.object({ type: z.literal('remove'), generation: z.string() }),
    /** What was being done in that moment may have written something down since: it goes, too. */
    z.object({ type: z.literal('sweep') }),
  ]),
  /** The workspaces that were removed. */
  removed: z.array(z.string()),
  tries: z.number(),
  /** When to go on, epoch milliseconds. */
  notBefore: z.number(),
});
export type Departure = z.infer<typeof Shape>;

/** Fields that a newer version has written are kept when an older one writes the record back. */
export const Departure: z.ZodType<Departure> = Shape.loose();

/** An installation, or the access of an organization's installation to one workspace. */
export type Left = Pick<Departure, 'workspace' | 'organization'>;

/** There is one departure of an installation at a time, and one of an organization from a workspace. */
export const departureOf = (workspace: string, organization?: string) => ({
  workspace,
  id: organization === undefined ? 'departure' : `departure-${organization}`,
});

/** @param now epoch milliseconds by the store's clock */
export function newDeparture(left: Left, uninstalled: boolean, now: number): Departure {
  const { workspace, organization } = left;
  const step = { type: 'verify', stood: 0 } as const;
  const begun = { version: 1, at: now, uninstalled, removed: [], tries: 0, notBefore: now };
  const through = organization === undefined ? {} : { organization };
  return { ...departureOf(workspace, organization), ...through, ...begun, step };
}

export function departureEntry(departure: Departure): Entry<Departure> {
  const { at, notBefore } = departure;
  return { record: departure, subjects: [], at, slot: undefined, dueAt: notBefore };
}
