import {
  type Answered,
  type CallContext,
  type CallRef,
  isProviderError,
  ProviderError,
} from "@cloudwright/provider-api";
import {
  type AnswerBounds,
  AnswerMemory,
  type BodyBounds,
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
import { errorOfAnswer } from "./answer-error.ts";
import { PROVIDER, type SandboxConfig } from "./config.ts";

/** A call to the sandbox cloud: its name in records, its path, and the shape of its answer. */
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

/** An answer's value with the id of the request that returned it. */
export interface Read<Value> {
  readonly value: Value;
  readonly status: number;
  readonly requestId?: string;
  /** The size of the body. */
  readonly bytes: number;
}

/** The sandbox cloud over HTTP; every request goes through its own context. */
export interface CloudClient {
  /** Limits for one answer, and for a listing as a whole. */
  readonly bounds: AnswerBounds;
  /** Throws ProviderError for a refusal, a lost connection, and an answer of the wrong shape or over its limits. */
  read<Schema extends z.ZodType>(
    context: CallContext,
    read: CloudRead<Schema>,
  ): Promise<Read<z.output<Schema>>>;
  /** Throws like `read`; returns undefined for an answer without a body. */
  write<Schema extends z.ZodType>(
    context: CallContext,
    write: CloudWrite<Schema>,
  ): Promise<Read<z.output<Schema>>>;
  close(): Promise<void>;
}

const CONNECTIONS = 64;
/** Shorter than the cloud keeps an idle connection (60 s). */
const KEEP_ALIVE_MS = 30_000;
const SHORTEST_HIDDEN = 6;
/** How many answers of the maximum size may arrive at the same time. */
const ANSWERS_AT_ONCE = 2;
/** The maximum size of a refusal that is read; of a longer one only the status is known. */
const MOST_BYTES_OF_REFUSAL = 1_048_576;

export function createCloudClient(
  config: Pick<SandboxConfig, "endpoint" | "token"> & Partial<SandboxConfig>,
  userAgent: string,
): CloudClient {
  const { maxAnswerBytes: maxBytes = DEFAULT_ANSWER_BOUNDS.maxBytes } = config;
  const bounds = { ...DEFAULT_ANSWER_BOUNDS, maxBytes };
  const memory = new AnswerMemory(ANSWERS_AT_ONCE * maxBytes);
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
      return readAnswer(made, answer, { withoutToken, bounds: { ...bounds, memory } });
    });
  };
  return { bounds, read: call, write: call, close: () => agent.destroy() };
}

function contentType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { "content-type": "application/json" };
}

type Call = Pick<CloudRead<z.ZodType>, "operation" | "target">;

async function send<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (isProviderError(error) || isAnswerOutOfBounds(error)) throw error;
    throw new ProviderError("Unavailable", `no answer came: ${failureText(error)}`, {
      ...refOf(call),
      cause: error,
    });
  }
}

interface Reading {
  readonly withoutToken: (text: string) => string;
  readonly bounds: AnswerBounds & BodyBounds;
}

async function readAnswer<Schema extends z.ZodType>(
  read: CloudRead<Schema>,
  answer: Dispatcher.ResponseData,
  { withoutToken, bounds }: Reading,
): Promise<Answered<Read<z.output<Schema>>>> {
  const requestId = headerOf(answer, "x-request-id");
  const status = answer.statusCode;
  const known = { status, ...(requestId === undefined ? {} : { requestId }) };
  const call = { ...refOf(read), ...known };
  if (status < 200 || status >= 300) {
    const body = await refusalOf(read, answer, withoutToken);
    throw errorOfAnswer({ call, body, retryAfter: headerOf(answer, "retry-after") });
  }
  try {
    const { text, bytes } = await send(read, () => readBounded(answer.body, bounds));
    const parsed = read.shape.safeParse(parseAnswer(text, bounds));
    if (!parsed.success) throw wrongShape(call, parsed.error);
    return { value: { value: parsed.data, bytes, ...known }, ...known };
  } catch (error) {
    if (isAnswerOutOfBounds(error)) throw outOfBounds(call, error);
    throw error;
  }
}

/** Returns the message of a refusal; undefined if it is too long or not JSON. */
async function refusalOf(
  read: Call,
  answer: Dispatcher.ResponseData,
  withoutToken: (text: string) => string,
): Promise<unknown> {
  const most = { maxBytes: MOST_BYTES_OF_REFUSAL, maxDepth: DEFAULT_ANSWER_BOUNDS.maxDepth };
  try {
    const { text } = await send(read, () => readBounded(answer.body, most));
    return parseAnswer(withoutToken(text), most);
  } catch (error) {
    if (isAnswerOutOfBounds(error)) return undefined;
    throw error;
  }
}

function outOfBounds(call: CallRef, error: Error): ProviderError {
  return new ProviderError(
    "OutOfBounds",
    `${error.message} and was not used; check what is between this process and the cloud`,
    { ...call, cause: error },
  );
}

/**
 * A cloud, or a proxy in front of it, may quote the header in its refusal. Very short tokens are not replaced, since they occur
 * in ordinary words.
 */
function hide(token: string, text: string): string {
  return token.length < SHORTEST_HIDDEN ? text : text.replaceAll(token, "***");
}

/** Names fields, never their values. */
function wrongShape(call: CallRef, error: z.ZodError): ProviderError {
  const path = error.issues[0]?.path.map(String).join(".") ?? "";
  const place = path === "" ? "" : ` in ${path}`;
  return new ProviderError(
    "Unavailable",
    `the answer does not match the cloud's API${place}; check what is between this process and the cloud`,
    call,
  );
}

function refOf({ operation, target }: Call): CallRef {
  return { provider: PROVIDER, operation, target };
}
