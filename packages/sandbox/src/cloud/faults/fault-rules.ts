import { z } from "zod";
import { codeOfStatus, STATUS_OF_CODE } from "../http/api-error.ts";

/** One rule of `PUT /admin/faults` (spec/70, "Faults and counters"). */
const ruleSchema = z
  .strictObject({
    /** Absent or `*`: every method. */
    method: z.string().optional(),
    /** A pattern of the path, in which `*` stands for any characters. Absent: every path. */
    path: z.string().optional(),
    /** How often it still strikes; absent means for ever. */
    times: z.number().int().min(0).optional(),
    /** Strikes this share of the requests that it fits, 0 to 1; which ones, `seed` makes repeatable. */
    share: z.number().min(0).max(1).optional(),
    status: z.number().int().min(400).max(599).optional(),
    code: z
      .string()
      .regex(/^[a-z_]+$/, "must be lower-case words joined by _")
      .optional(),
    latencyMs: z.number().min(0).optional(),
    /** Whole seconds, as HTTP wants them. */
    retryAfter: z.number().int().min(0).optional(),
    /** Id or name: strikes only requests that name this instance in their path or query. */
    instance: z.string().min(1).optional(),
    /** Strikes only requests whose body has this member. */
    bodyHas: z.string().min(1).optional(),
    /** Strikes only requests whose body has this member and no other. */
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

/** How many there may be where nobody has said otherwise. */
export const ORDINARY_QUOTAS = { loadBalancers: 1_000, routes: 1_000 };
export type Quotas = Readonly<typeof ORDINARY_QUOTAS>;

const count = z.number().int().min(0);

/** The body of `PUT /admin/faults`; `quotas` are those of this cloud when it is well. */
export const faultsSchemaWith = (quotas: Quotas) =>
  z.strictObject({
    latencyMs: z.number().min(0).default(0),
    jitterMs: z.number().min(0).default(0),
    /** Share of the requests that fail with 500 `internal`, 0 to 1. */
    errorRate: z.number().min(0).max(1).default(0),
    /** How long machines take to start and stop, and load balancers to change, milliseconds. */
    provisioningMs: z.number().min(0).default(0),
    /** How many there may be. */
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
    /** Where jitter, errorRate and the shares of rules start, so that a run can be repeated. */
    seed: z.number().int().default(1),
  });
export type Faults = z.infer<ReturnType<typeof faultsSchemaWith>>;

export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly retryAfter?: number | undefined;
}

/** The error that a rule answers with: status and code complete each other, `retryAfter` alone is a 429. */
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

/** Compiles a path pattern: `*` stands for any characters, everything else for itself. */
export function globToRegExp(pattern: string): RegExp {
  const escaped = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`);
}
