import { z } from "zod";
import { codeOfStatus, STATUS_OF_CODE } from "../http/api-error.ts";

/** One rule of `PUT /admin/faults` (spec/70, "Faults and counters"). */
const ruleSchema = z
  .strictObject({
    /** Absent or `*`: every method. */
    method: z.string().optional(),
    /** A pattern of the path, in which `*` matches any characters. Absent: every path. */
    path: z.string().optional(),
    /** How often it still applies; absent means forever. */
    times: z.number().int().min(0).optional(),
    /** The share of matching requests that it affects, 0 to 1; `seed` makes the choice repeatable. */
    share: z.number().min(0).max(1).optional(),
    status: z.number().int().min(400).max(599).optional(),
    code: z
      .string()
      .regex(/^[a-z_]+$/, "must be lower-case words joined by _")
      .optional(),
    latencyMs: z.number().min(0).optional(),
    /** Whole seconds, as HTTP requires. */
    retryAfter: z.number().int().min(0).optional(),
    /** Id or name: affects only requests that name this instance in their path or query. */
    instance: z.string().min(1).optional(),
    /** Affects only requests whose body has this member. */
    bodyHas: z.string().min(1).optional(),
    /** Affects only requests whose body has this member and no other. */
    bodyOnly: z.string().min(1).optional(),
    loseResponse: z.boolean().optional(),
    hang: z.boolean().optional(),
  })
  .superRefine((rule, context) => {
    const endings = [failureOf(rule) !== undefined, rule.loseResponse === true, rule.hang === true];
    if (endings.filter(Boolean).length > 1) {
      context.addIssue("a rule has only one of status, loseResponse and hang");
    }
    if (rule.code !== undefined && failureOf(rule) === undefined) {
      context.addIssue({ code: "custom", path: ["status"], message: "this code needs a status" });
    }
  });
export type FaultRule = z.infer<typeof ruleSchema>;

/** The quotas when none are given. */
export const ORDINARY_QUOTAS = { loadBalancers: 1_000, routes: 1_000 };
export type Quotas = Readonly<typeof ORDINARY_QUOTAS>;

const count = z.number().int().min(0);

/** Returns the schema of `PUT /admin/faults`; `quotas` are those of this cloud without faults. */
export const faultsSchemaWith = (quotas: Quotas) =>
  z.strictObject({
    latencyMs: z.number().min(0).default(0),
    jitterMs: z.number().min(0).default(0),
    /** Share of the requests that fail with 500 `internal`, 0 to 1. */
    errorRate: z.number().min(0).max(1).default(0),
    /** How long machines take to start and stop, and load balancers to change, in milliseconds. */
    provisioningMs: z.number().min(0).default(0),
    /** Most load balancers and routes. */
    quotas: z
      .strictObject({
        loadBalancers: count.default(quotas.loadBalancers),
        routes: count.default(quotas.routes),
      })
      .prefault({}),
    throttle: z
      .strictObject({ perSecond: z.number().positive(), burst: z.number().min(1) })
      .nullable()
      .default(null),
    rules: z.array(ruleSchema).max(1_000).default([]),
    /** The seed for jitter, errorRate and the shares of rules, which makes a run repeatable. */
    seed: z.number().int().default(1),
  });
export type Faults = z.infer<ReturnType<typeof faultsSchemaWith>>;

export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly retryAfter?: number | undefined;
}

/** Returns the error that a rule answers with: status and code determine each other if one is missing; `retryAfter` alone is a 429. */
export function failureOf(rule: FaultRule): Failure | undefined {
  const status = rule.status ?? statusOf(rule);
  if (status === undefined) {
    return undefined;
  }
  const code = rule.code ?? codeOfStatus(status);
  const retryAfter = rule.retryAfter ?? (status === 429 ? 1 : undefined);
  return { status, code, retryAfter };
}

function statusOf({ code, retryAfter }: FaultRule): number | undefined {
  const known = Object.entries(STATUS_OF_CODE).find(([name]) => name === code);
  if (known !== undefined) {
    return known[1];
  }
  return code === undefined && retryAfter !== undefined ? 429 : undefined;
}

/** Compiles a path pattern: `*` matches any characters, everything else is literal. */
export function globToRegExp(pattern: string): RegExp {
  const escaped = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`);
}
