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

/** One request as it goes over the wire. */
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

/** An answer that has been parsed. */
export interface WireAnswer<Value> {
  readonly value: Value;
  readonly status: number;
  readonly requestId?: string;
  /** Of its body. */
  readonly bytes: number;
  header(name: string): string | undefined;
}

/** What limits a request that is sent: both come with `context.call`. */
export interface Sending {
  readonly signal: AbortSignal;
  readonly mayLeave: () => boolean;
}

/** Connections made with one TLS material. */
export interface Connection {
  /** Throws ProviderError for a refusal, a lost connection, and an answer of another shape or past its bounds. */
  send<Schema extends z.ZodType>(
    wire: WireRequest<Schema>,
    sending: Sending,
  ): Promise<WireAnswer<z.output<Schema>>>;
  /** Ends when the answers that are on their way have come. */
  close(): Promise<void>;
  /** Ends at once, and with it what is on its way. */
  destroy(): Promise<void>;
}

export interface ConnectionOptions {
  readonly tls: TlsMaterial;
  readonly userAgent: string;
  /** Milliseconds that one answer may take (`request-timeout`); the framework's own deadline counts as well. */
  readonly timeoutMs: number;
  /** The texts that must not be seen in a refusal. */
  readonly secrets: readonly string[];
}

const CONNECTIONS = 64;
const KEEP_ALIVE_MS = 30_000;
const BOUNDS = DEFAULT_ANSWER_BOUNDS;
/** What a refusal may say; of a longer one the status alone is known. */
const REFUSAL_BOUNDS: AnswerBounds = { ...BOUNDS, maxBytes: 1_048_576 };
/** So many of the largest answers may come at one time. */
const MEMORY = new AnswerMemory(2 * BOUNDS.maxBytes);

/** Throws ProviderError `Invalid` for TLS material that cannot be used. */
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
          // A text goes with its Content-Length: services read no chunked body.
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

/** What a refusal says; undefined for one that is too long or no JSON. */
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

/** A cloud, or what stands before it, may quote what was sent. A very short secret is part of many a word. */
function hidden(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_HIDDEN)
    .reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
}

/** The names of fields are said, never values. */
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
