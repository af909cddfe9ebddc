import { rootCertificates } from "node:tls";
import { type CallRef, isProviderError, ProviderError } from "@cloudwright/provider-api";
import {
  type AnswerBounds,
  AnswerMemory,
  DEFAULT_ANSWER_BOUNDS,
  failureText,
  fencedDispatch,
  headerOf,
  isAnswerOutOfBounds,
  parseAnswer,
  readBounded,
} from "@cloudwright/provider-api/http";
import { Agent, type Dispatcher, request } from "undici";
import type { z } from "zod";
import type { TlsMaterial } from "../config/config.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import { errorOfRefusal } from "./errors.ts";
import { type ServiceName, TITLES } from "./services.ts";

/** One request as sent over the wire. */
export interface WireRequest<Schema extends z.ZodType> {
  readonly service: ServiceName;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly operation: string;
  readonly target: string;
  readonly schema: Schema;
}

/** A parsed answer. */
export interface WireAnswer<Value> {
  readonly value: Value;
  readonly status: number;
  readonly requestId?: string;
  /** The size of the body. */
  readonly bytes: number;
  header(name: string): string | undefined;
}

/** The limits of a request; both come with `context.call`. */
export interface Sending {
  readonly signal: AbortSignal;
  readonly mayLeave: () => boolean;
}

/** Connections that share one TLS material. */
export interface Connection {
  /** Throws ProviderError for a refusal, a lost connection, and an answer of the wrong shape or over its limits. */
  send<Schema extends z.ZodType>(
    wire: WireRequest<Schema>,
    sending: Sending,
  ): Promise<WireAnswer<z.output<Schema>>>;
  /** Closes once pending answers have arrived. */
  close(): Promise<void>;
  /** Closes immediately, aborting pending requests. */
  destroy(): Promise<void>;
}

export interface ConnectionOptions {
  readonly tls: TlsMaterial;
  readonly userAgent: string;
  /** The time limit of one answer, in milliseconds (`request-timeout`); the framework's own deadline applies as well. */
  readonly timeoutMs: number;
  /** Texts that must not appear in a refusal. */
  readonly secrets: readonly string[];
}

const CONNECTIONS = 64;
const KEEP_ALIVE_MS = 30_000;
const BOUNDS = DEFAULT_ANSWER_BOUNDS;
/** The limits of a refusal; of a longer one only the status is known. */
const REFUSAL_BOUNDS: AnswerBounds = { ...BOUNDS, maxBytes: 1_048_576 };
/** How many answers of the maximum size may arrive at the same time. */
const MEMORY = new AnswerMemory(2 * BOUNDS.maxBytes);

/** Creates connections. Throws ProviderError `Invalid` for TLS material that cannot be used. */
export function connect(options: ConnectionOptions): Connection {
  const { tls, userAgent, timeoutMs } = options;
  const agent = new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: {
      timeout: timeoutMs,
      rejectUnauthorized: !tls.insecure,
      ...(tls.ca === undefined ? {} : { ca: [...rootCertificates, tls.ca] }),
      ...(tls.cert === undefined ? {} : { cert: tls.cert }),
      ...(tls.key === undefined ? {} : { key: tls.key }),
    },
  });
  return {
    send: async (wire, { signal, mayLeave }) => {
      const { method, url, headers, body } = wire;
      const answer = await answered(wire, () =>
        request(url, {
          dispatcher: fencedDispatch(agent, mayLeave),
          method,
          headers: {
            accept: "application/json",
            "user-agent": userAgent,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers,
          },
          // A string is sent with a Content-Length: the services do not accept chunked bodies.
          body: body === undefined ? null : JSON.stringify(body),
          signal,
        }),
      );
      return readAnswer(wire, answer, options.secrets);
    },
    close: () => agent.close(),
    destroy: () => agent.destroy(),
  };
}

type Named = Pick<WireRequest<z.ZodType>, "service" | "operation" | "target">;

async function answered<T>(named: Named, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (isProviderError(error) || isAnswerOutOfBounds(error)) throw error;
    throw new ProviderError(
      "Unavailable",
      `${TITLES[named.service]} did not answer ${named.operation}: ${failureText(error)}; check the network and its endpoint.`,
      { ...refOf(named), cause: error },
    );
  }
}

async function readAnswer<Schema extends z.ZodType>(
  wire: WireRequest<Schema>,
  answer: Dispatcher.ResponseData,
  secrets: readonly string[],
): Promise<WireAnswer<z.output<Schema>>> {
  const header = (name: string) => headerOf(answer, name);
  const requestId = header("x-openstack-request-id") ?? header("x-compute-request-id");
  const status = answer.statusCode;
  const known = { status, ...(requestId === undefined ? {} : { requestId }) };
  const call = { ...refOf(wire), ...known };
  if (status < 200 || status >= 300) {
    const body = await refusalOf(wire, answer, secrets);
    throw errorOfRefusal({ service: wire.service, call, body, retryAfter: header("retry-after") });
  }
  try {
    const { text, bytes } = await answered(wire, () =>
      readBounded(answer.body, { ...BOUNDS, memory: MEMORY }),
    );
    const parsed = wire.schema.safeParse(parseAnswer(text, BOUNDS));
    if (!parsed.success) throw wrongShape(wire, call, parsed.error);
    return { value: parsed.data, bytes, header, ...known };
  } catch (error) {
    if (!isAnswerOutOfBounds(error)) throw error;
    throw new ProviderError(
      "OutOfBounds",
      `The answer of ${TITLES[wire.service]} to ${wire.operation} was not used: ${error.message}; check what is between this process and the cloud.`,
      { ...call, cause: error },
    );
  }
}

/** Returns the message of a refusal; undefined if it is too long or not JSON. */
async function refusalOf(
  named: Named,
  answer: Dispatcher.ResponseData,
  secrets: readonly string[],
): Promise<unknown> {
  try {
    const { text } = await answered(named, () => readBounded(answer.body, REFUSAL_BOUNDS));
    return parseAnswer(hidden(text, secrets), REFUSAL_BOUNDS);
  } catch (error) {
    if (isAnswerOutOfBounds(error)) return undefined;
    throw error;
  }
}

const SHORTEST_HIDDEN = 6;

/** A cloud, or a proxy in front of it, may quote what was sent. Very short secrets are not replaced, since they occur in ordinary words. */
function hidden(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_HIDDEN)
    .reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
}

/** Names fields, never values. */
function wrongShape(named: Named, call: CallRef, error: z.ZodError): ProviderError {
  const path = error.issues[0]?.path.map(String).join(".") ?? "";
  const place = path === "" ? "" : ` in ${path}`;
  return new ProviderError(
    "Unavailable",
    `The answer to ${named.operation} is not what ${TITLES[named.service]}'s API promises${place}; check the service's endpoint and what is in front of it.`,
    call,
  );
}

function refOf({ operation, target }: Named): CallRef {
  return { provider: PROVIDER, operation, target };
}
