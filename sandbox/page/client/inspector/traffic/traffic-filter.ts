import { type Exchange, type Side, sideOf } from './exchange.ts';
import { refusal } from './refusal.ts';

/** Which traffic the inspector shows. */
export type TrafficFilter = {
  hidden: readonly Side[];
  /** Must be in the names, or in the bodies. */
  text: string;
  isOnlyRefused: boolean;
  /** Entries up to this one are hidden; `n` of the newest when "Clear" was pressed. */
  clearedUpTo: number;
};

/** Everything is shown. */
export const SHOW_ALL: TrafficFilter = { hidden: [], text: '', isOnlyRefused: false, clearedUpTo: 0 };

/** Whether the filter lets an exchange through. */
export function isShown(exchange: Exchange, filter: TrafficFilter): boolean {
  if (exchange.n !== undefined && exchange.n <= filter.clearedUpTo) return false;
  if (filter.hidden.includes(sideOf(exchange))) return false;
  if (filter.isOnlyRefused && refusal(exchange) === undefined) return false;
  return contains(exchange, filter.text.trim().toLowerCase());
}

function contains(exchange: Exchange, text: string): boolean {
  if (text === '') return true;
  const { from, to, name, request, response, outcome } = exchange;
  const all = JSON.stringify([from, to, name, request, response?.body, outcome]).toLowerCase();
  // As it is read, or as it stands in the bodies.
  return all.includes(text) || all.includes(JSON.stringify(text).slice(1, -1));
}
