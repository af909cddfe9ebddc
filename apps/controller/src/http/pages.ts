import type { Registry } from "prom-client";
import { type HealthCheck, healthAnswer } from "./health.ts";

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What is served under each exact path; anything else is 404 (spec/00 §7). */
export type Pages = ReadonlyMap<string, Handler>;

type Handler = (query: URLSearchParams) => Page | Promise<Page>;

export interface PagesOptions {
  readonly registry: Registry;
  /** Checks of `/healthz` and `/livez`: a restart may help. Asked anew each time, as controllers come and go. */
  health(): readonly HealthCheck[];
  /** Checks of `/readyz`. */
  readiness(): readonly HealthCheck[];
  /** The configuration in force, without secrets. */
  configuration(): object;
  /** Told of each failed check, whose reason the caller is not shown. */
  onUnhealthy(path: string, name: string, problem: string): void;
}

export function createPages(options: PagesOptions): Pages {
  return new Map<string, Handler>([
    ["/healthz", (query) => health(options, "healthz", query)],
    ["/livez", (query) => health(options, "livez", query)],
    ["/readyz", (query) => health(options, "readyz", query)],
    ["/metrics", () => metrics(options.registry)],
    ["/configz", () => configz(options)],
  ]);
}

function health(options: PagesOptions, path: string, query: URLSearchParams): Page {
  const checks = path === "readyz" ? options.readiness() : options.health();
  const answer = healthAnswer(checks, {
    path,
    verbose: query.has("verbose"),
    exclude: query.getAll("exclude"),
  });
  for (const { name, problem } of answer.failed) options.onUnhealthy(path, name, problem);
  return { status: answer.status, type: "text/plain; charset=utf-8", body: answer.body };
}

async function metrics(registry: Registry): Promise<Page> {
  return { status: 200, type: registry.contentType, body: await registry.metrics() };
}

function configz({ configuration }: PagesOptions): Page {
  const body = JSON.stringify({ "cloudcontrollermanager.config.k8s.io": configuration() });
  return { status: 200, type: "application/json", body };
}
