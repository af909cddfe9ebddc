import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { Tracing } from "./start-tracing.ts";

export type { Tracing };

/** Returns undefined without `--tracing-endpoint`; nothing of OpenTelemetry is loaded then. */
export async function openTracing(
  processContext: Pick<ProcessContext, "flags" | "identity" | "log" | "random" | "clock">,
  clusterUid: string,
): Promise<Tracing | undefined> {
  const { flags, identity, log, random, clock } = processContext;
  const endpoint = flags["tracing-endpoint"];
  if (endpoint === "") return undefined;
  const { startTracing } = await import("./start-tracing.ts");
  const tracing = startTracing({
    ...{ log, random, clock, identity },
    url: tracesUrl(endpoint),
    ratio: flags["tracing-sampling-rate-per-million"] / 1_000_000,
    cluster: { uid: clusterUid, name: flags["cluster-name"] },
  });
  log.info({ endpoint }, "Sending traces of runs to this collector");
  return tracing;
}

/** Wraps the recorder so that its runs are traced as well. */
export function tracedRecorder(recorder: Recorder, tracing: Tracing | undefined): Recorder {
  if (tracing === undefined) return recorder;
  return {
    append: (record) => {
      recorder.append(record);
      if (record.type === "run.end") tracing.runEnded(record);
    },
  };
}

/** Adds to a collector's address without a path the path on which OTLP over HTTP expects traces. */
export function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === "/") url.pathname = "/v1/traces";
  return url.href;
}
