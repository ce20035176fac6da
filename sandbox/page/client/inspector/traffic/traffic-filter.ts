import { type Exchange, type Side, sideOf } from './exchange.ts';
import { refusal } from './refusal.ts';

/** A filter on the traffic. */
export type TrafficFilter = {
  hidden: readonly Side[];
  /** A text that the names or the bodies must contain. */
  text: string;
  isOnlyRefused: boolean;
  /** Hides the entries up to this `n`, which was the newest when "Clear" was pressed. */
  clearedUpTo: number;
};

/** The filter that shows everything. */
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
  // The text as a person reads it, or as JSON escapes it in the bodies.
  return all.includes(text) || all.includes(JSON.stringify(text).slice(1, -1));
}
