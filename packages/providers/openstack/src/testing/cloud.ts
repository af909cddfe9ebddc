import type { CallContext } from "@cloudwright/provider-api";
import { recordedContexts } from "@cloudwright/provider-api/kit";
import { createClient, type OpenStackClient } from "../api/client.ts";
import { type Environment, type OpenStackConfig, watchConfig } from "../config/config.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import {
  type HttpService,
  type ScriptedAnswer,
  type SeenRequest,
  startHttpService,
} from "./http-service.ts";

/** The answers of a test's cloud: by `METHOD /service/path`, else those of `recordedAnswers`. */
export type Answers = Readonly<
  Record<
    string,
    ScriptedAnswer | ((request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)
  >
>;

/** A client of services with a test's answers. */
export interface CloudUnderTest {
  readonly service: HttpService;
  readonly client: OpenStackClient;
  readonly config: OpenStackConfig;
  /** Sentences for the operator. */
  readonly warnings: string[];
  readonly calls: readonly { readonly operation: string; readonly mutates: boolean }[];
  context(signal?: AbortSignal): CallContext;
  /** Advances the client's clock by this many milliseconds. */
  pass(ms: number): void;
  close(): Promise<void>;
}

export interface CloudOptions {
  readonly answers: Answers;
  /** Called before them; undefined leaves the answer to them. */
  readonly instead?: (request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer> | undefined;
  /** Further lines of cloud.conf after `[Global]` with address and credentials. */
  readonly conf?: string;
  readonly credentials?: string;
  readonly path?: string;
  readonly environment?: Environment;
}

const CREDENTIALS = "application-credential-id = ac\napplication-credential-secret = s3cret-of-ac";

export async function startCloud(options: CloudOptions): Promise<CloudUnderTest> {
  const { answers, conf = "", credentials = CREDENTIALS, path, environment = {} } = options;
  const warnings: string[] = [];
  let now = 0;
  const service = await startHttpService((request) => {
    const instead = options.instead?.(request);
    if (instead !== undefined) return instead;
    const key = `${request.method} ${request.path}`;
    const own = answers[key] ?? standardAnswers(service.url)[key];
    if (own === undefined) return { status: 404, text: "404 page not found" };
    return typeof own === "function" ? own(request) : own;
  });
  const text = `[Global]\nauth-url = ${service.url}/identity\n${credentials}\n${conf}`;
  const warn = (message: string) => warnings.push(message);
  const monotonic = () => now;
  const config = await watchConfig({ text, path, environment, warn }, monotonic);
  const client = createClient({ config, userAgent: "test", monotonic, warn });
  const contexts = recordedContexts({ provider: PROVIDER });
  return {
    service,
    client,
    config: config.atStart,
    warnings,
    calls: contexts.calls,
    context: contexts.context,
    pass: (ms) => {
      now += ms;
    },
    close: async () => {
      await client.close();
      await service.close();
    },
  };
}

/** Keystone's answers, and the versions of the other services. */
export function standardAnswers(url: string): Record<string, ScriptedAnswer> {
  const endpoint = (type: string, path: string) => ({
    type,
    endpoints: [
      { interface: "public", region: "RegionOne", region_id: "RegionOne", url: `${url}${path}` },
    ],
  });
  return {
    "POST /identity/v3/auth/tokens": tokenAnswer([
      endpoint("identity", "/identity"),
      endpoint("compute", "/compute/v2.1"),
      endpoint("network", "/network"),
      endpoint("load-balancer", "/load-balancer"),
    ]),
    "GET /compute/v2.1/": {
      body: { version: { id: "v2.1", version: "2.93", min_version: "2.1" } },
    },
    "GET /load-balancer/": {
      body: { versions: [{ id: "v2.0" }, { id: "v2.26" }, { id: "v2.5" }] },
    },
    "GET /network/v2.0/extensions": { body: { extensions: [{ alias: "extraroute-atomic" }] } },
  };
}

/** Valid for one hour. */
export function tokenAnswer(catalog: unknown, id = "token-1"): ScriptedAnswer {
  return {
    status: 201,
    headers: { "x-subject-token": id },
    body: {
      token: {
        issued_at: "2026-01-01T00:00:00.000000Z",
        expires_at: "2026-01-01T01:00:00.000000Z",
        project: { id: "p-1", name: "lab", domain: { id: "default", name: "Default" } },
        catalog,
      },
    },
  };
}
