import { strict as assert } from "node:assert";
import {
  type DescribeOptions,
  type InstanceRef,
  instanceKey,
  type Lookup,
} from "../../instances.ts";
import type { KitCase, Subject } from "../conformance-case.ts";
import type { InstancesFixture, InstancesNeed } from "./fixture.ts";

export type InstancesSubject = Subject<InstancesFixture>;
export type InstancesCase = KitCase<InstancesFixture, InstancesNeed>;

/** Looks up refs in batch mode, or one by one. The lookup ends early when `signal` aborts. */
export function ask(
  { fixture, context }: InstancesSubject,
  refs: readonly InstanceRef[],
  ...[mode, signal]: [mode: DescribeOptions["mode"], signal?: AbortSignal]
): Promise<ReadonlyMap<string, Lookup>> {
  return fixture.instances.describe(refs, { mode }, context(signal));
}

export function byName(nodeName: string): InstanceRef {
  return { nodeName, providerID: undefined };
}

export function byId(nodeName: string, providerID: string): InstanceRef {
  return { nodeName, providerID };
}

/** Returns the answer for one ref; fails when there is none. */
export function answerOf(answers: ReadonlyMap<string, Lookup>, ref: InstanceRef): Lookup {
  const answer = answers.get(instanceKey(ref));
  assert.ok(answer, `There is no answer under ${instanceKey(ref)}.`);
  return answer;
}

export async function askOne(
  subject: InstancesSubject,
  ref: InstanceRef,
  mode: DescribeOptions["mode"] = "batch",
): Promise<Lookup> {
  return answerOf(await ask(subject, [ref], mode), ref);
}

export type Found = Extract<Lookup, { kind: "found" }>;

export function foundIn(lookup: Lookup, what: string): Found {
  assert.equal(lookup.kind, "found", `${what} exists, but was answered as ${lookup.kind}.`);
  if (lookup.kind !== "found") throw new Error("unreachable");
  return lookup;
}

/** Fails when an unreachable cloud was taken for an answer, which must never happen. */
export function assertFailed(lookup: Lookup, codes: readonly string[]): void {
  assert.equal(lookup.kind, "failed", `A failing cloud was taken for the answer ${lookup.kind}.`);
  if (lookup.kind !== "failed") return;
  const { code, call } = lookup.error;
  assert.ok(codes.includes(code), `The failure has the code ${code} instead of ${codes.join()}.`);
  assert.notEqual(call.operation, "", "The failure does not name its operation.");
}
