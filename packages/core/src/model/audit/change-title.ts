import { z } from "zod/mini";
import { objectName, objectRefSchema } from "../object-ref.ts";
import { type Change, type ChangeKind, changeKindSchema } from "../plan.ts";
import type { Json } from "../values/json.ts";

export type Titled = Pick<Change, "kind" | "target"> & Partial<Pick<Change, "before" | "after">>;

/** What the title of a change names, extracted from before and after: stored if those are too long to store. */
export const changeTitleSchema = z.readonly(
  z.object({
    kind: changeKindSchema,
    target: objectRefSchema,
    /** What a write concerns in the cloud, such as `listener 443/TCP`. */
    what: z.optional(z.string()),
    /** The cloud's id of that part, or its future name. */
    part: z.optional(z.string()),
    /** The destination of a route. */
    destination: z.optional(z.string()),
    /** How many members a load balancer gains and loses. */
    added: z.optional(z.number()),
    removed: z.optional(z.number()),
    setting: z.optional(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  }),
);
export type ChangeTitle = Readonly<z.infer<typeof changeTitleSchema>>;

export function titleOf(change: Titled): ChangeTitle {
  const { kind, target } = change;
  return { kind, target, ...titleDetails(change) };
}

type Details = Omit<ChangeTitle, "kind" | "target">;

function titleDetails(change: Titled): Details {
  const { kind, before, after } = change;
  if (isOfRoute(kind)) return { destination: text(after, "destination", before) };
  if (kind === "balancer.members") return memberCounts(change);
  if (kind === "setting.change") return { setting: settingOf(change) };
  const what = text(after, "what", before);
  return what === undefined ? {} : { what, part: text(after, "target", before) };
}

export function isOfRoute(kind: ChangeKind): boolean {
  return kind === "route.create" || kind === "route.delete";
}

function memberCounts({ after }: Titled): Details {
  const fields = memberOf(after, "fields");
  const count = (name: string) => {
    const list = memberOf(fields, name);
    return Array.isArray(list) ? list.length : 0;
  };
  return { added: count("added"), removed: count("removed") };
}

function settingOf({ before, after }: Titled): ChangeTitle["setting"] {
  if (typeof before !== "object" || before === null) return undefined;
  const [name = "", from] = Object.entries(before)[0] ?? [];
  const to = memberOf(after, name);
  return typeof from === "string" && typeof to === "string" ? { name, from, to } : undefined;
}

/** Returns a member of one side, or of the other if the write removes it. */
function text(side: Json | undefined, name: string, other: Json | undefined): string | undefined {
  const value = memberOf(side, name) ?? memberOf(other, name);
  return typeof value === "string" ? value : undefined;
}

function memberOf(part: Json | undefined, name: string): Json | undefined {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return undefined;
  return Object.entries(part).find(([key]) => key === name)?.[1];
}

/** Returns the cloud's id of the part, or its name if the write has no id. */
export function partOf({ part, target }: ChangeTitle): string {
  return part ?? objectName(target);
}
