import { Agent, type Dispatcher, request } from "undici";
import { z } from "zod";
import type { KubeAccess } from "./kubeconfig.ts";

export interface KubeRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface KubeAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The Kubernetes API as a kubelet needs it. Answers of any status are returned; only a missing answer throws. */
export interface KubeApi {
  send(request: KubeRequest): Promise<KubeAnswer>;
  /** Yields the lines of a watch until the server ends it or the signal aborts. Throws when it does not begin with 200. */
  lines(path: string, signal: AbortSignal): AsyncGenerator<string>;
  close(): Promise<void>;
}

/** An answer that a fake kubelet did not expect. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
  readonly status: number;

  constructor(path: string, { status, body }: KubeAnswer) {
    const overridden = statusSchema.safeParse(body);
    const why = overridden.success ? overridden.data.message : "it gave no reason";
    super(`The API server answered ${path} with ${status} (${why}).`);
    this.status = status;
  }
}

const statusSchema = z.object({ message: z.string() });
const ANSWER_WITHIN_MS = 30_000;

/** At most `connections` requests run at a time, not counting watches. */
export function openKubeApi(access: KubeAccess, connections: number): KubeApi {
  const agent = new Agent({
    connections: connections + 1,
    connect: {
      rejectUnauthorized: !access.insecure,
      ...(access.ca === undefined ? {} : { ca: access.ca }),
      ...(access.cert === undefined ? {} : { cert: access.cert }),
      ...(access.key === undefined ? {} : { key: access.key }),
      ...(access.serverName === undefined ? {} : { servername: access.serverName }),
    },
  });
  const headers = {
    accept: "application/json",
    "user-agent": "cloudwright-sandbox-kubelet",
    ...(access.token === undefined ? {} : { authorization: `Bearer ${access.token}` }),
  };
  return {
    send: async ({ method, path, body, contentType }) => {
      const response = await request(`${access.server}${path}`, {
        method,
        dispatcher: agent,
        headers: { ...headers, "content-type": contentType ?? "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      return { status: response.statusCode, body: await readBody(response) };
    },
    lines: (path, signal) =>
      streamLines(`${access.server}${path}`, { dispatcher: agent, headers, signal }),
    close: () => agent.destroy(),
  };
}

interface StreamOptions {
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly dispatcher?: Dispatcher;
}

/** Yields the lines of a continuous answer. */
export async function* streamLines(url: string, options: StreamOptions): AsyncGenerator<string> {
  const response = await request(url, { ...options, bodyTimeout: 0 });
  if (response.statusCode !== 200) {
    const answer = { status: response.statusCode, body: await readBody(response) };
    throw new UnexpectedAnswer(new URL(url).pathname, answer);
  }
  let rest = "";
  for await (const chunk of response.body.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

async function readBody(response: Dispatcher.ResponseData): Promise<unknown> {
  const text = await response.body.text();
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
