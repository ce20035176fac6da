/** The reasons that the form offers. The reason of a request is the chosen one, the person's own words, or both. */

/** Offered unless an admin has set others; a person can always write their own. */
export const USUAL_REASONS = [
  'The customer changed their mind',
  'Ordered by mistake',
  'Ordered twice',
  'Delivery takes too long',
  'Wrong address',
] as const;

/** The choice of a reason in the person's own words. No admin offers a reason of this text. */
export const OWN_REASON = 'countermand:own';

/** Separates the chosen reason from the person's own words. */
const SEPARATOR = ': ';

/** Joins the choice in the form and the written words to the reason of the request. */
export const joinedReason = (chosen: string, written: string): string =>
  [chosen === OWN_REASON ? '' : chosen, written].filter(Boolean).join(SEPARATOR);

/** Whether a reason is an offered one, with or without words of the person's own. */
export const isReason = (reason: string, offered: string): boolean =>
  reason === offered || reason.startsWith(`${offered}${SEPARATOR}`);

/** Takes the reason of a request apart into the choice in the form and the written words. */
export function splitReason(
  reason: string,
  offered: readonly string[] = USUAL_REASONS,
): { chosen: string; written: string } {
  if (reason === '') return { chosen: '', written: '' };
  const chosen = offered.find((each) => isReason(reason, each));
  if (chosen === undefined) return { chosen: OWN_REASON, written: reason };
  return { chosen, written: reason.slice(chosen.length + SEPARATOR.length) };
}
