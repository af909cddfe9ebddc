import type { RunEnd } from "@cloudwright/core/model/run";
import type { Clock, Random } from "@cloudwright/core/model/time";
import { withoutSecrets } from "@cloudwright/core/model/values/secrets";
import {
  DiagLogLevel,
  diag,
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log } from "../../logging/log.ts";
import { VERSION } from "../../version.ts";
import { type RunSpan, type RunTrace, traceOf } from "./run-spans.ts";

/** Sends a trace of every run to a collector. */
export interface Tracing {
  /** Returns immediately, and never throws because of a collector. */
  runEnded(run: RunEnd): void;
  /** Sends what is left, until the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

export interface TracingOptions {
  readonly url: string;
  /** The fraction of runs that are traced, 0 to 1. */
  readonly ratio: number;
  readonly cluster: { readonly uid: string; readonly name: string };
  readonly identity: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  /** How long spans are collected before they are sent, milliseconds. */
  readonly delayMs?: number;
}

const COLLECT_MS = 5_000;
/** The maximum number of spans waiting for the collector; more are dropped. A wave of 5,000 nodes makes 25,000 in a few seconds. */
const MOST_SPANS = 32_768;

/**
 * Sends runs over OTLP with JSON, in batches. Headers, certificates, timeout and compression come from OpenTelemetry's own
 * environment variables (`OTEL_EXPORTER_OTLP_…`), attributes of the process from `OTEL_RESOURCE_ATTRIBUTES`.
 */
export function startTracing(options: TracingOptions): Tracing {
  const { log, clock, ratio, url, delayMs = COLLECT_MS } = options;
  logProblemsTo(log);
  const ids = idsOf(options.random);
  const provider = new TracerProvider({
    resource: resourceOf(options),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingExporter(new OTLPTraceExporter({ url }), log),
        scheduledDelayMillis: delayMs,
        maxQueueSize: MOST_SPANS,
      }),
    ],
  });
  const tracer = provider.getTracer("cloudwright", VERSION);
  return {
    runEnded: (run) => {
      const traced = traceOf(run);
      ids.next = traced.traceId;
      emit(tracer, traced);
    },
    stop: async (deadlineMs) => {
      await inTime(clock, deadlineMs, provider.shutdown());
      diag.disable();
    },
  };
}

function emit(tracer: Tracer, { run, calls }: RunTrace): void {
  const span = tracer.startSpan(run.name, started(run, SpanKind.INTERNAL), ROOT_CONTEXT);
  // The calls of a run that sampling leaves out are left out as well.
  const within = trace.setSpan(ROOT_CONTEXT, span);
  for (const call of span.isRecording() ? calls : []) {
    end(tracer.startSpan(call.name, started(call, SpanKind.CLIENT), within), call);
  }
  end(span, run);
}

function started({ startMs, attributes }: RunSpan, kind: SpanKind) {
  return { kind, startTime: hrTime(startMs), attributes: { ...attributes } };
}

function end(span: ReturnType<Tracer["startSpan"]>, { endMs, failure }: RunSpan): void {
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end(hrTime(endMs));
}

/** Seconds and nanoseconds: small numbers would be taken for times since the process started. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}

/** Creates ids; `next` is the id of the next trace. */
function idsOf(random: Random): IdGenerator & { next: string } {
  const ids = {
    next: "",
    generateTraceId: () => ids.next,
    generateSpanId: () => word(random) + word(random),
  };
  return ids;
}

/** Returns 8 hexadecimal digits, not all of them 0. */
function word(random: Random): string {
  return (1 + Math.floor(random() * (2 ** 32 - 1))).toString(16).padStart(8, "0");
}

/** Attributes from the environment take precedence over ours. */
function resourceOf({ cluster, identity }: TracingOptions): Resource {
  const ours = resourceFromAttributes({
    "service.name": "cloudwright",
    "service.version": VERSION,
    "service.instance.id": identity,
    "k8s.cluster.uid": cluster.uid,
    "k8s.cluster.name": cluster.name,
  });
  return defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Logs once when the collector starts to refuse traces or becomes unavailable, and once when it accepts them again. */
function reportingExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let lost = 0;
  const accepted = () => {
    if (lost > 0) log.info({ lost }, "The collector accepts traces again");
    lost = 0;
  };
  const refused = (spans: number, error: unknown) => {
    if (lost === 0) log.warn({ error: failureText(error) }, CANNOT_SEND);
    lost += spans;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === SUCCESS) accepted();
        else refused(spans.length, result.error);
        done(result);
      }),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The success value of OpenTelemetry's `ExportResultCode`, from a package that only its own packages need. */
const SUCCESS = 0;
const CANNOT_SEND =
  "Traces cannot be sent to the collector and are dropped until it accepts them; check --tracing-endpoint";

/** If none of several addresses answers, the error's message is empty. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const code = "code" in error ? String(error.code) : error.name;
  return withoutSecrets(error.message === "" ? code : `${error.message} (${code})`);
}

/** Logs OpenTelemetry's own warnings, such as variables that it cannot parse; the exporter reports failures to send. */
function logProblemsTo(log: Log): void {
  const ignore = () => {};
  const warn = (detail: string) => log.warn({ detail }, "OpenTelemetry reported a problem");
  diag.setLogger(
    { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

async function inTime(clock: Clock, limitMs: number, work: Promise<void>): Promise<void> {
  let cancel: () => void = () => {};
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(limitMs, resolve);
  });
  // A failure to send has been logged already.
  await Promise.race([work.catch(() => {}), limit]).finally(cancel);
}
