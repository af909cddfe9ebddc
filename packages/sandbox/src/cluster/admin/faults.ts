import { z } from "zod";

const ruleSchema = z
  .strictObject({
    /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; absent means any. */
    verb: z.string().toLowerCase().optional(),
    /** `*` stands for anything but a slash, `**` for anything. Matched against the path without its query. */
    path: z.string().optional(),
    status: z.number().int().min(400).max(599).optional(),
    /** What the refusal says. */
    message: z.string().optional(),
    latencyMs: z.number().nonnegative().optional(),
    /** Takes the request and never answers. */
    hang: z.boolean().optional(),
    /** How many requests it hits; absent means for ever. */
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

/** What goes wrong on purpose. The first rule that fits a request is the one that hits it. */
export class Faults {
  #armed: readonly Armed[] = [];

  /** The rules with what is left of their times. */
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

  /** The rule that hits this request, counted down; nothing for most. */
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
