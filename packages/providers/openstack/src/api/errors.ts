import {
  type AnswerBody,
  type CallRef,
  isProviderError,
  ProviderError,
  type ProviderErrorCode,
} from "@cloudwright/provider-api";
import { parseRetryAfter } from "@cloudwright/provider-api/http";
import { z } from "zod";
import { type ServiceName, TITLES } from "./services.ts";

/** An error response. */
export interface Refusal {
  readonly service: ServiceName;
  readonly call: CallRef & { readonly status: number };
  /** Parsed JSON, or undefined if it is not JSON. */
  readonly body: unknown;
  /** The header's value: seconds or a date. */
  readonly retryAfter: string | undefined;
}

/**
 * Returns the error that a refusal means, with a sentence for the operator. It is NotFound only if the service itself says so in
 * its own format: a 404 from a proxy proves nothing. Source: spec/providers/openstack §4.
 */
export function errorOfRefusal({ service, call, body, retryAfter }: Refusal): ProviderError {
  const said = readRefusal(body);
  const meant = meaningOf(call.status, said);
  const text = said?.message ?? "it does not say why";
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  return new ProviderError(meant.code, sentence({ service, call, meant, text }), {
    ...call,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    body: { code: said?.kind ?? call.status, reason: meant.reason, message: text },
  });
}

/** Reports whether the object has changed since it was read (412): read it again and retry. */
export function isRevisionConflict(error: unknown): error is ProviderError {
  return reasonOf(error) === "revision";
}

/** Reports whether the object to create already exists: a rule, or a listener on the port (409). */
export function isAlreadyThere(error: unknown): error is ProviderError {
  return reasonOf(error) === "exists";
}

/** Reports whether this is the service's own 404: the object does not exist. */
export function isNotFound(error: unknown): error is ProviderError {
  return isProviderError(error) && error.code === "NotFound";
}

function reasonOf(error: unknown): string | undefined {
  return isProviderError(error) ? error.call.body?.reason : undefined;
}

interface Said {
  readonly kind: string;
  readonly message: string;
}

const neutron = z.object({
  NeutronError: z.object({ type: z.string(), message: z.string(), detail: z.unknown().optional() }),
});
const octavia = z.object({ faultcode: z.string(), faultstring: z.string() });
const keystone = z.object({
  error: z.object({ code: z.number(), title: z.string(), message: z.string() }),
});
const barbican = z.object({ code: z.number(), title: z.string(), description: z.string().min(1) });
/** Nova and Cinder: the only key is the kind of error. */
const nova = z.record(z.string(), z.object({ code: z.number(), message: z.string() }));

/** Parses a refusal in the service's own format; undefined for a proxy's page and for an answer of a wrong endpoint. */
function readRefusal(body: unknown): Said | undefined {
  for (const read of READERS) {
    const said = read(body);
    if (said !== undefined) return said;
  }
  return undefined;
}

const READERS: readonly ((body: unknown) => Said | undefined)[] = [
  (body) => {
    const read = neutron.safeParse(body).data?.NeutronError;
    return read && { kind: read.type, message: read.message };
  },
  (body) => {
    const read = octavia.safeParse(body).data;
    return read && { kind: read.faultcode, message: read.faultstring };
  },
  (body) => {
    const read = keystone.safeParse(body).data?.error;
    return read && { kind: read.title, message: read.message };
  },
  (body) => {
    const read = barbican.safeParse(body).data;
    return read && { kind: read.title, message: read.description };
  },
  (body) => {
    const [entry, ...others] = Object.entries(nova.safeParse(body).data ?? {});
    if (entry === undefined || others.length > 0) return undefined;
    return { kind: entry[0], message: entry[1].message };
  },
];

interface Meaning {
  readonly code: ProviderErrorCode;
  /** For the record, and for callers that have to tell apart refusals with the same code. */
  readonly reason: NonNullable<AnswerBody["reason"]>;
}

function meaningOf(status: number, said: Said | undefined): Meaning {
  const special =
    said === undefined ? undefined : SPECIAL.find((each) => isMeant(each, status, said));
  if (special !== undefined) return special;
  if (status === 404 && (said === undefined || said.kind === "HTTPNotFound"))
    return { code: "Unavailable", reason: "no such page" };
  return BY_STATUS[status] ?? (status >= 500 || status < 400 ? BROKEN : INVALID);
}

const BROKEN: Meaning = { code: "Unavailable", reason: "broken" };
const INVALID: Meaning = { code: "Invalid", reason: "invalid" };

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  401: { code: "Unauthorized", reason: "credentials" },
  403: { code: "Unauthorized", reason: "policy" },
  404: { code: "NotFound", reason: "not found" },
  408: BROKEN,
  409: { code: "Conflict", reason: "conflict" },
  412: { code: "Conflict", reason: "revision" },
  413: { code: "Throttled", reason: "rate" },
  429: { code: "Throttled", reason: "rate" },
  501: { code: "Unsupported", reason: "unsupported" },
};

interface Special extends Meaning {
  readonly statuses: readonly number[];
  /** Matched against the kind and the text. */
  readonly pattern: RegExp;
}

/** Refusals that their status alone does not explain; the first match counts. */
const SPECIAL: readonly Special[] = [
  {
    ...{ code: "QuotaExceeded", reason: "quota" },
    statuses: [403, 409, 413],
    // A policy that forbids reading quotas mentions them, too.
    pattern: /^(?!.*policy).*quota/is,
  },
  {
    ...{ code: "QuotaExceeded", reason: "addresses" },
    statuses: [409],
    pattern: /IpAddressGenerationFailure|No more IP addresses/i,
  },
  {
    ...{ code: "QuotaExceeded", reason: "routes" },
    statuses: [400, 409],
    pattern:
      /RoutesExhausted|RouterExtraRoutesExhausted|Exceeded maximum|maximum routes|more than \d+ routes/i,
  },
  {
    // Octavia is working on the load balancer: retry once it is ACTIVE or in ERROR; this is not a failure.
    ...{ code: "Conflict", reason: "busy" },
    statuses: [409],
    pattern: /is immutable|Invalid state PENDING/i,
  },
  {
    ...{ code: "Conflict", reason: "exists" },
    statuses: [409],
    pattern: /RuleExists|already using|already exists|duplicate/i,
  },
];

function isMeant({ statuses, pattern }: Special, status: number, said: Said): boolean {
  return statuses.includes(status) && (pattern.test(said.kind) || pattern.test(said.message));
}

interface SentenceOf extends Pick<Refusal, "service" | "call"> {
  readonly meant: Meaning;
  readonly text: string;
}

/** Says what failed, why, and what to do. */
function sentence({ service, call, meant, text }: SentenceOf): string {
  const { operation, status } = call;
  const why = text.replace(/\s+/g, " ").replace(/[.\s]+$/, "");
  const remedy = REMEDIES[meant.reason];
  const what = `${TITLES[service]} refused ${operation} with ${status}: ${why}`;
  return remedy === undefined ? `${what}.` : `${what}; ${remedy}.`;
}

const REMEDIES: Readonly<Record<string, string>> = {
  credentials: "check the credentials in cloud.conf",
  policy: "give the user a role in the project that allows it",
  quota: "raise the project's quota or remove what is not needed",
  addresses: "free addresses in the subnet or choose another one",
  routes: "the router is full: raise max_routes or remove routes",
  "no such page": "check the service's endpoint in the catalog and what is in front of it",
  broken: "check the service's health",
};
