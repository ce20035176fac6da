/** The help text, made from one table. */
import { COMMANDS } from '../../blocks/ids.ts';

const LINES: readonly [string, string][] = [
  [
    `${COMMANDS.cancelOrder} [order] [reason]`,
    'asks for an order to be cancelled; the outcome comes into the thread of your request.',
  ],
  [`${COMMANDS.sendOffer} [offer]`, 'asks for a pending offer to be sent to the customer.'],
  [`${COMMANDS.cancelOffer} [offer]`, 'asks for an offer to be cancelled.'],
  [`${COMMANDS.subBrands} [text]`, 'lists the sub-brands of your organization.'],
  [
    `${COMMANDS.countermand} status <id>`,
    'tells how a request stands, by its own id or by that of the order or offer.',
  ],
  [`${COMMANDS.countermand} history`, 'lists the latest requests.'],
  [`${COMMANDS.countermand} settings`, 'sets who may ask, who approves, and more (admins).'],
  [`${COMMANDS.countermand} connect`, 'connects this workspace to the order service (admins).'],
  [`${COMMANDS.countermand} disconnect`, 'disconnects it (admins).'],
  [`${COMMANDS.countermand} help`, 'shows this.'],
];

export function helpText(): string {
  return LINES.map(
    ([usage, meaning]) => `• \`${usage.replace('<', '&lt;').replace('>', '&gt;')}\` ${meaning}`,
  ).join('\n');
}
