import { isDeepStrictEqual } from "node:util";
import type { Json } from "./json.ts";
import type { LoadBalancerSpec } from "./load-balancers.ts";

/** What the last successful calls requested for a load balancer. */
export interface Ensured {
  /** The specification without its members. */
  readonly fields: JsonFields;
  readonly members: readonly string[];
  readonly isElsewhere: boolean;
}

export type JsonFields = Readonly<Record<string, Json>>;

/**
 * Returns the fields that count as a change. Leaves out the owner's published addresses, which follow from earlier calls, and its
 * annotations, which the spec has itself.
 */
export function jsonFields({ members: _members, owner, ...fields }: LoadBalancerSpec): JsonFields {
  const { published: _published, annotations: _annotations, ...identity } = owner;
  return JSON.parse(JSON.stringify({ owner: identity, ...fields }));
}

export function memberIds({ members }: LoadBalancerSpec): readonly string[] {
  return members.map(({ providerID }) => providerID);
}

export function membersChange(ensured: Ensured | undefined, spec: LoadBalancerSpec) {
  const before = new Set(ensured?.members);
  const after = new Set(memberIds(spec));
  return {
    added: [...after].filter((id) => !before.has(id)),
    removed: [...before].filter((id) => !after.has(id)),
    count: after.size,
  };
}

export interface Difference {
  readonly before: Json;
  readonly after: Json;
}

export function fromNothing(spec: LoadBalancerSpec): Difference {
  const members = membersChange(undefined, spec);
  return { before: null, after: { operation: ENSURE, ...jsonFields(spec), members } };
}

/** Returns the fields that differ from the last request; all of them when there was none since the start. */
export function sinceEnsured(ensured: Ensured | undefined, spec: LoadBalancerSpec): Difference {
  if (ensured === undefined) return fromNothing(spec);
  const now = jsonFields(spec);
  const differing = [...new Set([...Object.keys(ensured.fields), ...Object.keys(now)])].filter(
    (name) => !isDeepStrictEqual(ensured.fields[name], now[name]),
  );
  const of = (fields: JsonFields) =>
    Object.fromEntries(differing.map((name) => [name, fields[name] ?? null]));
  const members = membersChange(ensured, spec);
  const isSame = members.added.length + members.removed.length === 0;
  return {
    before: {
      ...of(ensured.fields),
      ...(isSame ? {} : { members: { count: ensured.members.length } }),
    },
    after: { operation: ENSURE, ...of(now), ...(isSame ? {} : { members }) },
  };
}

const ENSURE = "EnsureLoadBalancer";
