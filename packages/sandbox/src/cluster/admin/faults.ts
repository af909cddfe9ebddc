import { z } from "zod";

const ruleSchema = z
  .strictObject({
    /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; absent means any. */
    verb: z.string().toLowerCase().optional(),
    /** `*` matches anything but a slash, `**` anything. Matched against the path without its query. */
    path: z.string().optional(),
    status: z.number().int().min(400).max(599).optional(),
    /** The message of the error. */
    message: z.string().optional(),
    latencyMs: z.number().nonnegative().optional(),
    /** Whether to accept the request and never answer. */
    hang: z.boolean().optional(),
    /** How many requests it affects; absent means forever. */
    times: z.number().int().positive().optional(),
    /** Seconds for the Retry-After header of the fault's answer. */
    retryAfter: z.number().nonnegative().optional(),
  })
  .refine(
    (rule) => rule.status !== undefined || rule.latencyMs !== undefined || rule.hang === true,
    {
      message: "a rule needs a status, a latencyMs or hang",
    },
  );

export const faultsSchema = z.strictObject({ rules: z.array(ruleSchema) });
export type FaultRule = z.infer<typeof ruleSchema>;

interface Armed {
  readonly rule: FaultRule;
  readonly pattern: RegExp | undefined;
  left: number;
}

/** Simulated faults. The first rule that matches a request applies. */
export class Faults {
  #armed: readonly Armed[] = [];

  /** Returns the rules with their remaining times. */
  get rules(): readonly FaultRule[] {
    return this.#armed
      .filter(({ left }) => left > 0)
      .map(({ rule, left }) => (rule.times === undefined ? rule : { ...rule, times: left }));
  }

  replace(rules: readonly FaultRule[]): void {
    this.#armed = rules.map((rule) => ({
      rule,
      pattern: rule.path === undefined ? undefined : globPattern(rule.path),
      left: rule.times ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** Returns the rule for this request and counts it down; usually there is none. */
  take(verb: string, path: string): FaultRule | undefined {
    const hit = this.#armed.find(
      ({ rule, pattern, left }) =>
        left > 0 &&
        (rule.verb === undefined || rule.verb === verb) &&
        (pattern === undefined || pattern.test(path)),
    );
    if (hit === undefined) return undefined;
    hit.left -= 1;
    return hit.rule;
  }
}

function globPattern(glob: string): RegExp {
  const source = glob
    .split("**")
    .map((part) => part.split("*").map(escapeRegExp).join("[^/]*"))
    .join(".*");
  return new RegExp(`^${source}$`);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
}
