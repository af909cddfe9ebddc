import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import { createCloudClient } from "../cloud-client.ts";
import { createInstances } from "../instances.ts";
import { type ScriptedAnswer, startScriptedCloud, testContext } from "./scripted-cloud.ts";

export const closers: (() => Promise<void>)[] = [];

export async function cloudThat(answer: (url: URL) => ScriptedAnswer) {
  const cloud = await startScriptedCloud(answer);
  const client = createCloudClient({ endpoint: cloud.endpoint, token: "t0ken-of-test" }, "test");
  closers.push(
    () => client.close(),
    () => cloud.close(),
  );
  return { cloud, instances: createInstances(client) };
}

export function idOf(number: number): string {
  return `i-${number.toString(16).padStart(16, "0")}`;
}

export function instance(number: number, more: object = {}) {
  return {
    id: idOf(number),
    name: `n${number}`,
    state: "running",
    type: "m1",
    region: "r1",
    zone: "z1",
    addresses: [{ type: "InternalIP", address: `10.0.0.${number}` }],
    labels: {},
    managed: true,
    ...more,
  };
}

export function byId(number: number): InstanceRef {
  return { nodeName: `n${number}`, providerID: `sandbox://${idOf(number)}` };
}

export function refs(count: number): readonly InstanceRef[] {
  return Array.from({ length: count }, (_, index) => byId(index + 1));
}

/**
 * A cloud with instances 1 to `count`, without those that are missing; each read that names `bad` ones fails, or is refused
 * because of them.
 */
export function goodCloud(
  count: number,
  {
    bad = [],
    missing = [],
    refused = [],
  }: Partial<Record<"bad" | "missing" | "refused", number[]>> = {},
) {
  const all = Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => !missing.includes(number),
  );
  const isNamed = (number: number, named: readonly string[]) =>
    named.includes(idOf(number)) || named.includes(`n${number}`);
  return (url: URL): ScriptedAnswer => {
    const alone = /^\/v1\/instances\/(.+)$/.exec(url.pathname)?.[1];
    const filters = ["id", "name"].flatMap((name) => url.searchParams.getAll(name));
    const named = alone === undefined ? filters : [alone];
    if (bad.some((number) => isNamed(number, named))) return refusal(500, "internal");
    if (refused.some((number) => isNamed(number, named))) return refusal(403, "forbidden");
    const matching = named.length === 0 ? all : all.filter((number) => isNamed(number, named));
    return alone === undefined ? pageOf(matching, url) : instanceAlone(matching[0]);
  };
}

export function instanceAlone(number: number | undefined): ScriptedAnswer {
  return number === undefined ? refusal(404, "not_found") : { body: instance(number) };
}

export function pageOf(numbers: readonly number[], url: URL): ScriptedAnswer {
  const offset = Number(url.searchParams.get("cursor") ?? 0);
  const limit = Number(url.searchParams.get("limit") ?? 500);
  const items = numbers.slice(offset, offset + limit).map((number) => instance(number));
  const next = offset + limit < numbers.length ? String(offset + limit) : null;
  return { body: { items, next } };
}

export function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): ScriptedAnswer {
  return {
    status,
    headers,
    body: { error: { code, message: `it is ${code}`, requestId: "in-body" } },
  };
}

export function kindsOf(answers: ReadonlyMap<string, Lookup>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of answers.values()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export async function single(answer: (url: URL) => ScriptedAnswer, ref: InstanceRef = byId(1)) {
  const { cloud, instances } = await cloudThat(answer);
  const answers = await instances.describe([ref], { mode: "single" }, testContext());
  const [lookup] = answers.values();
  if (lookup === undefined) throw new Error("there is no answer");
  return { lookup, requests: cloud.requests };
}
