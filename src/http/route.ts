/** Defines a route of the server. */
import type { IncomingHttpHeaders } from 'node:http';

/** A request before its body is read. */
export type RequestHead = {
  /** The path and query as received. */
  url: string;
  /** The open segment of the path, of unreserved characters without a dot; empty if the path has none. */
  parameter: string;
  headers: IncomingHttpHeaders;
};

export type HttpRequest = RequestHead & { body: Buffer };

export type HttpResponse = { status: number; headers?: Record<string, string>; body?: string };

export type Route = {
  method: 'GET' | 'POST';
  /** Exact, or with one open last segment: `/events/*`. */
  path: string;
  /** A larger body is answered with 413 before it is read. */
  maxBytes: number;
  /** Other media types are answered with 415; undefined: any type is accepted. */
  mediaTypes?: readonly string[];
  /**
   * Refuses a request by its headers, before its body costs anything.
   *
   * @returns the answer; undefined if the body may be read
   */
  refuse?(head: RequestHead): HttpResponse | undefined;
  handle(request: HttpRequest): Promise<HttpResponse>;
};

export function json(status: number, body: object): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
