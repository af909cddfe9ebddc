import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import type { RunEnd } from "@cloudwright/core/model/run";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runEnd, step } from "../../../../../packages/store/testing/records.ts";
import { createLog } from "../../logging/log.ts";
import { tracedRecorder, tracesUrl } from "./open-tracing.ts";
import { traceOf } from "./run-spans.ts";
import { startTracing, type TracingOptions } from "./start-tracing.ts";

const RUN_ID = "019cc1aa-0000-7abc-8def-0123456789ab";
const TRACE_ID = "019cc1aa00007abc8def0123456789ab";
const STARTED_AT = 1_800_000_000_000;

function run(over: Partial<RunEnd> = {}): RunEnd {
  return { ...runEnd({ startedAt: STARTED_AT, ...over }), id: RUN_ID };
}

interface Sent {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly spans: readonly OtlpSpan[];
  readonly resource: Readonly<Record<string, unknown>>;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number; readonly message?: string };
}

/** A collector that parses OTLP as JSON, and answers as the test says. */
class Collector {
  readonly sent: Sent[] = [];
  answer: (response: ServerResponse) => void = (response) => response.end("{}");
  readonly #server: Server = createServer((request, response) => this.#take(request, response));

  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(port, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(done));
  }

  get spans(): readonly OtlpSpan[] {
    return this.sent.flatMap(({ spans }) => spans);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [resource] = JSON.parse(Buffer.concat(chunks).toString()).resourceSpans;
    this.sent.push({
      path: request.url ?? "",
      headers: request.headers,
      resource: valuesOf(resource.resource.attributes),
      spans: resource.scopeSpans[0].spans.map((span: OtlpSpan) => ({
        ...span,
        attributes: valuesOf(span.attributes as never),
      })),
    });
    this.answer(response);
  }
}

type OtlpAttributes = readonly { key: string; value: Readonly<Record<string, unknown>> }[];

function valuesOf(attributes: OtlpAttributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

let collector: Collector;
let lines: string[];

beforeEach(() => {
  collector = new Collector();
  lines = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await collector.close();
});

function tracing(url: string, over: Partial<TracingOptions> = {}) {
  return startTracing({
    url,
    ratio: 1,
    cluster: { uid: "cluster-1", name: "prod" },
    identity: "host_1",
    log: createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) }),
    clock: systemClock,
    random: Math.random,
    ...over,
  });
}

describe("a run at the collector", () => {
  it("is one span with a child span for each of its calls, under the run's id", async () => {
    const sending = tracing(tracesUrl(await collector.listen()));
    sending.runEnded(run());
    await sending.stop(5_000);
    const [sent] = collector.sent;
    expect(sent?.path).toBe("/v1/traces");
    expect(sent?.resource).toMatchObject({
      "service.name": "cloudwright",
      "service.instance.id": "host_1",
      "k8s.cluster.uid": "cluster-1",
    });
    const [root, ...others] = collector.spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(others).toEqual([]);
    expect(root).toMatchObject({
      traceId: TRACE_ID,
      name: "cloud-node-controller Node",
      startTimeUnixNano: "1800000000000000000",
      endTimeUnixNano: "1800000000042000000",
      attributes: {
        "cloudwright.run.id": RUN_ID,
        "cloudwright.controller": "cloud-node-controller",
        "cloudwright.object.kind": "Node",
        "cloudwright.object.name": "w-1",
        "cloudwright.outcome": "changed",
      },
    });
    const calls = collector.spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    expect(calls.map(({ name, traceId, kind }) => [name, traceId, kind])).toEqual([
      ["GET /v1/instances", TRACE_ID, 3],
      ["PATCH nodes", TRACE_ID, 3],
      ["PATCH nodes", TRACE_ID, 3],
    ]);
    expect(calls[0]?.startTimeUnixNano).toBe("1800000000001000000");
  });

  it("has the failure's sentence as its status, and a failed call has its error", async () => {
    const sending = tracing(tracesUrl(await collector.listen()));
    const failed = { ...step("cloud"), status: 503, error: "The cloud is away." };
    sending.runEnded(
      run({
        outcome: "failed",
        reason: { code: "ProviderThrottled", provider: "sandbox", operation: "list" },
        steps: [failed],
      }),
    );
    await sending.stop(5_000);
    const statuses = collector.spans.map(({ name, status }) => [name, status.code, status.message]);
    expect(statuses).toContainEqual(["GET /v1/instances", 2, "The cloud is away."]);
    const root = collector.spans.find(({ parentSpanId }) => !parentSpanId);
    expect(root?.status.code).toBe(2);
    expect(root?.status.message).toBe("Sandbox allows no more calls for now (429 on list)");
  });

  it("contains no secret from a call's error or target, and no body", () => {
    const leaking = {
      ...step("cloud"),
      target: "https://user:hunter2@cloud/x",
      error: "Authorization: Bearer abc123def456ghi",
      body: { password: "hunter2" },
    };
    const text = JSON.stringify(traceOf(run({ steps: [leaking] })));
    expect(text).toContain("***");
    expect(text).not.toMatch(/hunter2|abc123def456ghi/);
  });

  it("is not sent if sampling leaves it out, nor are its calls", async () => {
    const sending = tracing(tracesUrl(await collector.listen()), { ratio: 0 });
    sending.runEnded(run());
    await sending.stop(5_000);
    expect(collector.sent).toEqual([]);
  });

  it("is sent with the headers and attributes of OpenTelemetry's variables", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=blue");
    vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=stage");
    const sending = tracing(tracesUrl(await collector.listen()));
    sending.runEnded(run());
    await sending.stop(5_000);
    expect(collector.sent[0]?.headers["x-tenant"]).toBe("blue");
    expect(collector.sent[0]?.resource["deployment.environment.name"]).toBe("stage");
  });
});

describe("a collector that refuses traces", () => {
  it("causes one line in the log, however often it refuses, and one when it accepts them again", async () => {
    const sending = tracing(tracesUrl(await collector.listen()), { delayMs: 1 });
    collector.answer = (response) => response.writeHead(400).end();
    for (const round of [1, 2, 3]) {
      sending.runEnded(run());
      await vi.waitFor(() => expect(collector.sent).toHaveLength(round), { timeout: 30_000 });
    }
    collector.answer = (response) => response.end("{}");
    await vi.waitFor(
      () => {
        sending.runEnded(run());
        expect(lines.join("")).toContain("accepts traces again");
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(lines.filter((line) => line.includes("Traces cannot be sent"))).toHaveLength(1);
    await sending.stop(5_000);
  });

  it("that is unavailable is reported when the process ends, and does not delay it beyond the limit", async () => {
    const url = tracesUrl(await collector.listen());
    await collector.close();
    collector = new Collector();
    vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "100");
    const sending = tracing(url);
    sending.runEnded(run());
    await sending.stop(30_000);
    expect(lines.join("")).toMatch(/Traces cannot be sent.*ECONNREFUSED/);
  });

  it("that never responds delays neither a run nor the end of the process", async () => {
    const sending = tracing(tracesUrl(await collector.listen()), {
      delayMs: 1,
      clock: { ...systemClock, after: timeIsOver },
    });
    collector.answer = () => {};
    sending.runEnded(run());
    await vi.waitFor(() => expect(collector.sent).toHaveLength(1), { timeout: 30_000 });
    for (let count = 0; count < 10_000; count++) sending.runEnded(run());
    await expect(sending.stop(1)).resolves.toBeUndefined();
  });
});

function timeIsOver(_delayMs: number, callback: () => void): () => void {
  callback();
  return () => {};
}

describe("a recorder whose runs are traced", () => {
  it("records first, and traces only the ends of runs", () => {
    const order: string[] = [];
    const inner = { append: (record: LedgerRecord) => void order.push(`record ${record.type}`) };
    const recorder = tracedRecorder(inner, {
      runEnded: ({ id }) => void order.push(`trace ${id}`),
      stop: async () => {},
    });
    const { durationMs: _, ...rest } = run();
    recorder.append({ ...rest, type: "run.start" } as LedgerRecord);
    recorder.append(run());
    expect(order).toEqual(["record run.start", "record run.end", `trace ${RUN_ID}`]);
  });

  it("is unchanged without a collector", () => {
    const inner = { append: () => {} };
    expect(tracedRecorder(inner, undefined)).toBe(inner);
  });
});

it.each([
  ["http://c:4318", "http://c:4318/v1/traces"],
  ["http://c:4318/", "http://c:4318/v1/traces"],
  ["https://c/otlp/v1/traces", "https://c/otlp/v1/traces"],
])("a collector at %s gets traces at %s", (endpoint, url) => {
  expect(tracesUrl(endpoint)).toBe(url);
});
