import type { Registry } from "prom-client";
import type { HealthMetrics, HealthPath } from "../metrics/health-metrics.ts";

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface PageRequest {
  readonly query: URLSearchParams;
  /** The method, in lower case. */
  readonly verb: string;
  /** Reads the body. Throws an Error if it is too long. */
  body(): Promise<string>;
}

export interface PageHandler {
  /** The allowed methods, in lower case; others get a 405. */
  readonly verbs: readonly string[];
  answer(request: PageRequest): Page | Promise<Page>;
}

/** The page for each exact path; any other path is 404 (spec/00 §7). */
export type Pages = ReadonlyMap<string, PageHandler>;

export interface PagesOptions {
  readonly registry: Registry;
  /** Checks of `/healthz`; called each time, as controllers start and stop. */
  health(): readonly HealthCheck[];
  /** Checks of `/livez`: those that a restart may fix. */
  liveness(): readonly HealthCheck[];
  /** Checks of `/readyz`. */
  readiness(): readonly HealthCheck[];
  /** The configuration in force, without secrets. */
  configuration(): object;
  /** Metrics of the health checks, on a page of their own as in upstream. */
  readonly healthMetrics: HealthMetrics;
  /** Called for each failed check, whose reason is not shown to the caller. */
  onUnhealthy(path: string, name: string, problem: string): void;
  /** Additional pages, such as those of `--profiling`. */
  readonly more?: Pages;
}

export function createPages(options: PagesOptions): Pages {
  const { healthMetrics } = options;
  return new Map<string, PageHandler>([
    ["/healthz", read(({ query }) => health(options, "healthz", query))],
    ["/livez", read(({ query }) => health(options, "livez", query))],
    ["/readyz", read(({ query }) => health(options, "readyz", query))],
    ["/metrics", read(() => metrics(options.registry))],
    ["/metrics/slis", resettable(healthMetrics)],
    ["/configz", read(() => configz(options))],
    ...(options.more ?? []),
  ]);
}

export function textPage(status: number, body: string): Page {
  return { status, type: "text/plain; charset=utf-8", body };
}

/** Creates a read-only page. */
export function read(answer: PageHandler["answer"]): PageHandler {
  return { verbs: ["get", "head"], answer };
}

function resettable(healthMetrics: HealthMetrics): PageHandler {
  return {
    verbs: ["get", "head", "delete"],
    answer: ({ verb }) =>
      verb === "delete" ? resetMetrics(healthMetrics) : metrics(healthMetrics.registry),
  };
}

function health(options: PagesOptions, path: HealthPath, query: URLSearchParams): Page {
  const checks = checksOf(options, path);
  const { status, body, asked } = healthAnswer(checks, {
    path,
    verbose: query.has("verbose"),
    exclude: query.getAll("exclude"),
  });
  for (const { name, problem } of asked) {
    options.healthMetrics.checked(path, name, problem === undefined);
    if (problem !== undefined) options.onUnhealthy(path, name, problem);
  }
  return textPage(status, body);
}

function checksOf(options: PagesOptions, path: HealthPath): readonly HealthCheck[] {
  switch (path) {
    case "healthz":
      return options.health();
    case "livez":
      return options.liveness();
    case "readyz":
      return options.readiness();
  }
}

async function metrics(registry: Registry): Promise<Page> {
  return { status: 200, type: registry.contentType, body: await registry.metrics() };
}

function resetMetrics({ registry }: HealthMetrics): Page {
  registry.resetMetrics();
  return textPage(200, "metrics reset\n");
}

function configz({ configuration }: PagesOptions): Page {
  const body = JSON.stringify({ "cloudcontrollermanager.config.k8s.io": configuration() });
  return { status: 200, type: "application/json", body };
}

/** A named health check. */
export interface HealthCheck {
  readonly name: string;
  /** Returns undefined while healthy, else a sentence for the log, which is not shown to callers. */
  check(): string | undefined;
  /** Returns what a verbose answer adds to a healthy check, such as the leader's name. */
  note?(): string | undefined;
}

export interface HealthAnswer {
  readonly status: 200 | 500;
  readonly body: string;
  /** Every check that ran, failed ones with their sentences; excluded checks did not run. */
  readonly asked: readonly { readonly name: string; readonly problem: string | undefined }[];
}

export interface HealthQuestion {
  /** `healthz`, `livez` or `readyz`, for upstream's closing line. */
  readonly path: string;
  readonly verbose: boolean;
  readonly exclude: readonly string[];
}

/**
 * Returns upstream's health answer (spec/00 §7): `ok`, or with `verbose` a line for each check. A failure is a 500, always
 * verbose, without the reason.
 */
export function healthAnswer(
  checks: readonly HealthCheck[],
  { path, verbose, exclude }: HealthQuestion,
): HealthAnswer {
  const results = checks.map((check) => resultOf(check, exclude));
  const asked = results.filter(({ isAsked }) => isAsked);
  const lines = [...results.map(({ line }) => line), ...foreign(checks, exclude)];
  if (asked.some(({ problem }) => problem !== undefined)) {
    return { status: 500, body: `${lines.join("\n")}\n${path} check failed\n`, asked };
  }
  const body = verbose ? `${lines.join("\n")}\n${path} check passed\n` : "ok";
  return { status: 200, body, asked };
}

interface Result {
  readonly name: string;
  readonly isAsked: boolean;
  readonly line: string;
  readonly problem: string | undefined;
}

function resultOf(check: HealthCheck, exclude: readonly string[]): Result {
  const { name } = check;
  if (exclude.includes(name)) {
    return { name, isAsked: false, line: `[+]${name} excluded: ok`, problem: undefined };
  }
  const problem = check.check();
  return { name, isAsked: true, line: lineOf(check, problem), problem };
}

function lineOf(check: HealthCheck, problem: string | undefined): string {
  if (problem !== undefined) return `[-]${check.name} failed: reason withheld`;
  const said = check.note?.();
  return `[+]${check.name} ok${said === undefined ? "" : ` (${said})`}`;
}

function foreign(checks: readonly HealthCheck[], exclude: readonly string[]): string[] {
  const unknown = exclude.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length === 0) return [];
  const names = unknown.map((name) => `"${name}"`).join(",");
  return [`warn: some health checks cannot be excluded: no matches for ${names}`];
}
