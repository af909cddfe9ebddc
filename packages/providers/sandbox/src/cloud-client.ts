import { fencedDispatch } from "@cloudwright/core/http/fenced-dispatch";
import { MASK } from "@cloudwright/core/model/secrets";
import { type CallRef, isProviderError, ProviderError } from "@cloudwright/core/provider/errors";
import type { Answered, CallContext } from "@cloudwright/core/provider/provider";
import { Agent, type Dispatcher, request } from "undici";
import type { z } from "zod";
import { errorOfAnswer } from "./answer-error.ts";
import { PROVIDER, type SandboxConfig } from "./config.ts";

/** A call of the sandbox cloud: how it is called in records, its path, and the shape of its answer. */
export interface CloudRead<Schema extends z.ZodType> {
  /** `GET /v1/instances/{id}`: without identifiers. */
  readonly operation: string;
  readonly target: string;
  readonly path: string;
  readonly shape: Schema;
}

/** A call that changes the cloud. */
export interface CloudWrite<Schema extends z.ZodType> extends CloudRead<Schema> {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer's value with the id of the request that brought it. */
export interface Read<Value> {
  readonly value: Value;
  readonly status: number;
  readonly requestId?: string;
}

/** The sandbox cloud over HTTP; every request goes through the context it is made for. */
export interface CloudClient {
  /** Throws ProviderError for a refusal, a lost connection and for an answer of another shape. */
  read<Schema extends z.ZodType>(
    context: CallContext,
    read: CloudRead<Schema>,
  ): Promise<Read<z.output<Schema>>>;
  /** Throws in the same way; an answer without a body is undefined. */
  write<Schema extends z.ZodType>(
    context: CallContext,
    write: CloudWrite<Schema>,
  ): Promise<Read<z.output<Schema>>>;
  close(): Promise<void>;
}

const CONNECTIONS = 64;
/** Shorter than the cloud (60 s) keeps an idle connection. */
const KEEP_ALIVE_MS = 30_000;
const SHORTEST_HIDDEN = 6;

export function createCloudClient(
  config: Pick<SandboxConfig, "endpoint" | "token">,
  userAgent: string,
): CloudClient {
  const agent = new Agent({ connections: CONNECTIONS, keepAliveTimeout: KEEP_ALIVE_MS });
  const ours = {
    authorization: `Bearer ${config.token}`,
    accept: "application/json",
    "user-agent": userAgent,
  };
  const withoutToken = (text: string) => hide(config.token, text);
  const call = <Schema extends z.ZodType>(
    context: CallContext,
    made: CloudRead<Schema> & Partial<CloudWrite<Schema>>,
  ) => {
    const { operation, target, path, method = "GET", body } = made;
    const mutates = method !== "GET";
    return context.call({ operation, target, mutates }, async (signal, mayLeave) => {
      const answer = await send(made, () =>
        request(`${config.endpoint}${path}`, {
          dispatcher: fencedDispatch(agent, mayLeave),
          method,
          headers: { ...ours, ...contentType(body), ...made.headers },
          body: body === undefined ? null : JSON.stringify(body),
          signal,
        }),
      );
      return readAnswer(made, answer, withoutToken);
    });
  };
  return { read: call, write: call, close: () => agent.destroy() };
}

function contentType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { "content-type": "application/json" };
}

type Call = Pick<CloudRead<z.ZodType>, "operation" | "target">;

async function send<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (isProviderError(error)) throw error;
    throw new ProviderError("Unavailable", `no answer came: ${messageOf(error)}`, {
      ...refOf(call),
      cause: error,
    });
  }
}

async function readAnswer<Schema extends z.ZodType>(
  read: CloudRead<Schema>,
  answer: Dispatcher.ResponseData,
  withoutToken: (text: string) => string,
): Promise<Answered<Read<z.output<Schema>>>> {
  const requestId = headerOf(answer, "x-request-id");
  const status = answer.statusCode;
  const call = { ...refOf(read), status, ...(requestId === undefined ? {} : { requestId }) };
  const text = await send(read, () => answer.body.text());
  if (status < 200 || status >= 300) {
    const body = parseJson(withoutToken(text));
    throw errorOfAnswer({ call, body, retryAfter: headerOf(answer, "retry-after") });
  }
  const parsed = read.shape.safeParse(parseJson(text));
  if (!parsed.success) throw wrongShape(call, parsed.error);
  const value = { value: parsed.data, status, ...(requestId === undefined ? {} : { requestId }) };
  return { value, status, ...(requestId === undefined ? {} : { requestId }) };
}

/** A cloud, or what stands before it, may quote the header in its refusal. A very short token is part of many a word. */
function hide(token: string, text: string): string {
  return token.length < SHORTEST_HIDDEN ? text : text.replaceAll(token, MASK);
}

/** The names of fields are told, never values. */
function wrongShape(call: CallRef, error: z.ZodError): ProviderError {
  const path = error.issues[0]?.path.map(String).join(".") ?? "";
  const place = path === "" ? "" : ` in ${path}`;
  return new ProviderError(
    "Unavailable",
    `the answer is not what the cloud's API promises${place}; look at what stands between us and the cloud`,
    call,
  );
}

/** Undefined for what is no JSON: no shape accepts that. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refOf({ operation, target }: Call): CallRef {
  return { provider: PROVIDER, operation, target };
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return error.message === "" ? (code ?? error.name) : error.message;
}
