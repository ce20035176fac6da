/** The help text, made from one table. */
import { COMMANDS } from '../../blocks/ids.ts';

const LINES: readonly [string, string][] = [
  [
    `${COMMANDS.cancelOrder} [order] [reason]`,
    'requests the cancellation of an order; the outcome is posted in the thread of your request.',
  ],
  [`${COMMANDS.sendOffer} [offer]`, 'requests that a pending offer is sent to the customer.'],
  [`${COMMANDS.cancelOffer} [offer]`, 'requests the cancellation of an offer.'],
  [`${COMMANDS.subBrands} [text]`, 'lists the sub-brands of your organization.'],
  [
    `${COMMANDS.countermand} status <id>`,
    'shows the status of a request, by its id or by the id of the order or offer.',
  ],
  [`${COMMANDS.countermand} history`, 'lists the latest requests.'],
  [`${COMMANDS.countermand} settings`, 'sets who may make requests, who approves them, and more (admins).'],
  [`${COMMANDS.countermand} connect`, 'connects this workspace to the order service (admins).'],
  [`${COMMANDS.countermand} disconnect`, 'disconnects this workspace from the order service (admins).'],
  [`${COMMANDS.countermand} help`, 'shows this help.'],
];

export function helpText(): string {
  return LINES.map(
    ([usage, meaning]) => `• \`${usage.replace('<', '&lt;').replace('>', '&gt;')}\` ${meaning}`,
  ).join('\n');
}
