/** What a route of the server is. */
import type { IncomingHttpHeaders } from 'node:http';

export type HttpRequest = {
  /** Path and query, as they came. */
  url: string;
  /** The part of the path that a route left open, decoded. */
  parameter: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

export type HttpResponse = { status: number; headers?: Record<string, string>; body?: string };

export type Route = {
  method: 'GET' | 'POST';
  /** Exact, or with one open last segment: `/events/*`. */
  path: string;
  /** A larger body is answered with 413 before it is read. */
  maxBytes: number;
  /** Other media types are answered with 415; undefined: whatever comes. */
  mediaTypes?: readonly string[];
  handle(request: HttpRequest): Promise<HttpResponse>;
};

export function json(status: number, body: object): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
