/** Requests to the background by message `kind`, from sensors and from the extension's own pages. */

import type { ActionRequest, SensorRequest, ViewRequest } from '../requests.js';

type ByKind<Request extends { kind: string }> = {
  [Kind in Request['kind']]: Extract<Request, { kind: Kind }>;
};

export type SensorRequests = ByKind<SensorRequest>;
export type ViewRequests = ByKind<ViewRequest>;
export type ActionRequests = ByKind<ActionRequest>;

type FieldNames<Request> = Request extends unknown ? Exclude<keyof Request, 'kind'> : never;

/** A message as received: its field names are known; the code that uses a field must check or convert its value. */
export type Untrusted<Request> = { [Name in FieldNames<Request>]?: unknown };

/** A handler for each kind of message. */
export type Handlers<Requests, Context extends unknown[] = []> = {
  [Kind in keyof Requests]: (message: Untrusted<Requests[Kind]>, ...context: Context) => unknown;
};
