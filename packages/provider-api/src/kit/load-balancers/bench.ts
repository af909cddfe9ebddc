import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  BalancerOwner,
  BalancerPlan,
  BalancerPlanInput,
  CloudChange,
  LoadBalancerSpec,
  LoadBalancers,
} from "../../load-balancers.ts";
import type { BenchContexts } from "../contexts-of-bench.ts";
import type { BalancerNeed, BalancersFixture, SeenBalancer } from "./fixture.ts";

/** A provider under test, what it sent so far, and the steps that the framework takes with it. */
export interface BalancersBench extends BenchContexts {
  readonly fixture: BalancersFixture;
}

export interface BalancerBenchCase {
  readonly name: string;
  readonly needs?: readonly BalancerNeed[];
  /** Only where `wrapEnsureStyle` does not make them. */
  readonly notWrapped?: true;
  check(bench: BalancersBench): Promise<void>;
}

/** What a plan is made for beside owner and what is there. */
export type Wish = Omit<BalancerPlanInput<unknown>, "owner" | "observed" | "published"> &
  Partial<Pick<BalancerPlanInput<unknown>, "published">>;

/** Passes until nothing may be left; a provider that needs more does not come to rest. */
const MOST_PASSES = 40;

export function ownerOf(name: string, clusterUid: string = CLUSTER): BalancerOwner {
  const objectUid = `${hexOf(name)}-0000-4000-8000-${hexOf(`${clusterUid}/${name}`).repeat(2).slice(0, 12)}`;
  return { clusterUid, objectUid, namespace: "shop", name, clusterName: "kubernetes" };
}

export const CLUSTER = "11111111-1111-4111-8111-111111111111";
export const OTHER_CLUSTER = "22222222-2222-4222-8222-222222222222";

/** Eight hex digits that differ for different texts well enough for a test. */
function hexOf(text: string): string {
  let hash = 2_166_136_261;
  for (const letter of text) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}

export function specOf(
  owner: BalancerOwner,
  more: Partial<Omit<LoadBalancerSpec, "members">> & { readonly members?: readonly string[] } = {},
): LoadBalancerSpec {
  const { members = [], ...fields } = more;
  return {
    owner,
    internal: false,
    listeners: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: 30_080 },
    affinity: { kind: "none" },
    families: ["IPv4"],
    annotations: {},
    ...fields,
    members: members.map((providerID, index) => ({
      nodeName: `w-${index}`,
      providerID,
      addresses: [],
    })),
  };
}

export async function observe(bench: BalancersBench, owner: BalancerOwner): Promise<unknown> {
  const answers = await bench.fixture.loadBalancers.observe([owner], bench.context());
  const answer = answers.get(owner.objectUid);
  assert.ok(answer, `There is no answer under ${owner.objectUid}.`);
  if (answer.kind === "failed") throw answer.error;
  return answer.observed;
}

export function plan(
  loadBalancers: LoadBalancers,
  { owner, observed, wish }: { owner: BalancerOwner; observed: unknown; wish: Wish },
): BalancerPlan {
  return loadBalancers.plan({ owner, observed, published: { ingress: [] }, ...wish });
}

export async function lookAndPlan(
  bench: BalancersBench,
  owner: BalancerOwner,
  wish: Wish,
): Promise<BalancerPlan> {
  const observed = await observe(bench, owner);
  return plan(bench.fixture.loadBalancers, { owner, observed, wish });
}

export async function apply(bench: BalancersBench, change: CloudChange): Promise<unknown> {
  return await bench.fixture.loadBalancers.apply(change, bench.context());
}

/** Observes, plans and applies until nothing is left, as the loop does; answers the last plan. */
export async function converge(
  bench: BalancersBench,
  owner: BalancerOwner,
  wish: Wish,
): Promise<BalancerPlan> {
  let left = wish;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const made = await lookAndPlan(bench, owner, left);
    for (const change of made.changes) await apply(bench, change);
    if (made.changes.length > 0) left = { ...wish, everything: false };
    else if (made.next.kind === "inProgress") await sleep(made.next.dueMs);
    else return made;
  }
  throw new assert.AssertionError({ message: `It did not come to rest in ${MOST_PASSES} passes.` });
}

/** Converges and demands that it is settled with a place where it is reached. */
export async function serve(
  bench: BalancersBench,
  spec: LoadBalancerSpec,
  wish: Omit<Wish, "spec"> = {},
): Promise<{ readonly made: BalancerPlan; readonly id: string }> {
  const made = await converge(bench, spec.owner, { ...wish, spec });
  assert.equal(made.next.kind, "settled", `It ended as ${made.next.kind} instead of settled.`);
  assert.ok((made.status?.ingress.length ?? 0) > 0, "It is settled without an address.");
  assert.ok(made.actual, "It is settled without any facts.");
  return { made, id: made.actual.id };
}

export async function removeAll(
  bench: BalancersBench,
  owner: BalancerOwner,
): Promise<BalancerPlan> {
  return await converge(bench, owner, { spec: undefined });
}

export async function ofOwner(
  { fixture }: BalancersBench,
  { clusterUid, objectUid }: BalancerOwner,
): Promise<readonly SeenBalancer[]> {
  const all = await fixture.balancers();
  return all.filter(({ mark }) => mark?.clusterUid === clusterUid && mark.objectUid === objectUid);
}

/** The one balancer of an owner; fails when there is none or more than one. */
export async function onlyOne(bench: BalancersBench, owner: BalancerOwner): Promise<SeenBalancer> {
  const all = await ofOwner(bench, owner);
  assert.equal(all.length, 1, `The owner has ${all.length} balancers instead of one.`);
  const [one] = all;
  if (one === undefined) throw new Error("unreachable");
  return one;
}
