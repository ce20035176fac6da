/**
 * The faults that can be applied to one request. Three names are neither methods nor operations, and take some faults only:
 * - `socket.connect`, a WebSocket that the app opens: `status` and `drop` refuse it, `delay` and `hold` before open it late,
 *   `delay_answer` and `hold` after greet late;
 * - `socket.envelope`: `drop` loses it and `unanswered` its acknowledgement, both with the connection; `delay` and `hold` before
 *   send it late, `delay_answer` and `hold` after take the acknowledgement late;
 * - `app.answer`, the app's answer over either transport: `unanswered` loses it. `where` has `kind` and `name` (the command, or
 *   the type of the payload or event).
 */
export type Fault =
  // The request is refused before it is processed.
  | { type: 'rate_limit'; retryAfterSeconds: number }
  | { type: 'status'; status: number; body?: unknown }
  | { type: 'error'; code: string }
  | { type: 'redirect'; status: number; location: string }
  | { type: 'drop' }
  // The request is processed, and answered as if it was not, or not at all.
  | { type: 'status_after'; status: number; body?: unknown }
  | { type: 'unanswered' }
  | { type: 'truncated' }
  | { type: 'garbage' }
  // The request is delayed before it is processed (even if the client has left by then), or before it is answered.
  | { type: 'delay'; ms: number }
  | { type: 'delay_answer'; ms: number }
  // The request is held until it is released. If the client leaves meanwhile, 'before' skips the processing; 'late' does
  // not.
  | { type: 'hold'; when: 'before' | 'late' | 'after' };
