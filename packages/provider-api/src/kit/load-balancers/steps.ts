import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  CloudChange,
  LoadBalancerOwner,
  LoadBalancerPlan,
  LoadBalancerPlanInput,
  LoadBalancerSpec,
  LoadBalancers,
} from "../../load-balancers.ts";
import type { KitCase, Subject } from "../conformance-case.ts";
import type { LoadBalancerNeed, LoadBalancersFixture, SeenLoadBalancer } from "./fixture.ts";

/** A provider under test; the functions below are the steps that the framework takes with it. */
export type LoadBalancersSubject = Subject<LoadBalancersFixture>;
export type LoadBalancerCase = KitCase<LoadBalancersFixture, LoadBalancerNeed>;

/** The input of a plan, apart from the owner and the observation. */
export type Request = Omit<LoadBalancerPlanInput<unknown>, "owner" | "observed" | "published"> &
  Partial<Pick<LoadBalancerPlanInput<unknown>, "published">>;

/** How many passes may make changes, and how long they may wait in total; a provider that needs more does not settle. */
const MOST_PASSES = 40;
const MOST_WAITED_MS = 40_000;
/** The least time that a pass counts for when the cloud is still at work. */
const LEAST_WAITED_MS = 1_000;

export function ownerOf(name: string, clusterUid: string = CLUSTER): LoadBalancerOwner {
  const objectUid = `${hexOf(name)}-0000-4000-8000-${hexOf(`${clusterUid}/${name}`).repeat(2).slice(0, 12)}`;
  return { clusterUid, objectUid, namespace: "shop", name, clusterName: "kubernetes" };
}

export const CLUSTER = "11111111-1111-4111-8111-111111111111";
export const OTHER_CLUSTER = "22222222-2222-4222-8222-222222222222";

/** Returns eight hex digits that differ well enough between texts for a test. */
function hexOf(text: string): string {
  let hash = 2_166_136_261;
  for (const letter of text) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}

export function specOf(
  owner: LoadBalancerOwner,
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

export async function observe(
  subject: LoadBalancersSubject,
  owner: LoadBalancerOwner,
): Promise<unknown> {
  const answers = await subject.fixture.loadBalancers.observe([owner], subject.context());
  const answer = answers.get(owner.objectUid);
  assert.ok(answer, `There is no answer under ${owner.objectUid}.`);
  if (answer.kind === "failed") throw answer.error;
  return answer.observed;
}

export async function plan(
  loadBalancers: LoadBalancers,
  {
    owner,
    observed,
    request: options,
  }: { owner: LoadBalancerOwner; observed: unknown; request: Request },
): Promise<LoadBalancerPlan> {
  return await loadBalancers.plan({ owner, observed, published: { ingress: [] }, ...options });
}

export async function observeAndPlan(
  subject: LoadBalancersSubject,
  owner: LoadBalancerOwner,
  options: Request,
): Promise<LoadBalancerPlan> {
  const observed = await observe(subject, owner);
  const request = { ...options, spec: withAddresses(subject, options.spec) };
  return plan(subject.fixture.loadBalancers, { owner, observed, request });
}

function withAddresses(
  { fixture }: LoadBalancersSubject,
  spec: LoadBalancerSpec | undefined,
): LoadBalancerSpec | undefined {
  if (spec === undefined || fixture.addressesOf === undefined) return spec;
  const { addressesOf } = fixture;
  const members = spec.members.map((one) => ({ ...one, addresses: addressesOf(one.providerID) }));
  return { ...spec, members };
}

export async function apply(subject: LoadBalancersSubject, change: CloudChange): Promise<unknown> {
  return await subject.fixture.loadBalancers.apply(change, subject.context());
}

/** Observes, plans and applies until no change is left, as the controller does; returns the last plan. */
export async function converge(
  subject: LoadBalancersSubject,
  owner: LoadBalancerOwner,
  options: Request,
): Promise<LoadBalancerPlan> {
  const { mostWaitedMs = MOST_WAITED_MS } = subject.fixture;
  let left = options;
  let changing = 0;
  let waitedMs = 0;
  while (changing < MOST_PASSES && waitedMs < mostWaitedMs) {
    const made = await observeAndPlan(subject, owner, left);
    for (const change of made.changes) await apply(subject, change);
    if (made.changes.length > 0) {
      left = { ...options, everything: false };
      changing += 1;
    } else if (made.next.kind === "inProgress") {
      await sleep(made.next.dueMs);
      waitedMs += Math.max(made.next.dueMs, LEAST_WAITED_MS);
    } else return made;
  }
  const message = `It did not come to rest in ${changing} passes with changes and ${waitedMs} ms of waiting.`;
  throw new assert.AssertionError({ message });
}

/** Converges and requires that the load balancer is settled and has an address. */
export async function serve(
  subject: LoadBalancersSubject,
  spec: LoadBalancerSpec,
  options: Omit<Request, "spec"> = {},
): Promise<{ readonly made: LoadBalancerPlan; readonly id: string }> {
  const made = await converge(subject, spec.owner, { ...options, spec });
  assert.equal(made.next.kind, "settled", `It ended as ${made.next.kind} instead of settled.`);
  assert.ok((made.status?.ingress.length ?? 0) > 0, "It is settled without an address.");
  assert.ok(made.actual, "It is settled without any facts.");
  return { made, id: made.actual.id };
}

export async function removeAll(
  subject: LoadBalancersSubject,
  owner: LoadBalancerOwner,
): Promise<LoadBalancerPlan> {
  return await converge(subject, owner, { spec: undefined });
}

export async function ofOwner(
  { fixture }: LoadBalancersSubject,
  { clusterUid, objectUid }: LoadBalancerOwner,
): Promise<readonly SeenLoadBalancer[]> {
  const all = await fixture.existing();
  return all.filter(
    ({ owner: mark }) => mark?.clusterUid === clusterUid && mark.objectUid === objectUid,
  );
}

/** Returns the one load balancer of an owner; fails when there is none or more than one. */
export async function onlyOne(
  subject: LoadBalancersSubject,
  owner: LoadBalancerOwner,
): Promise<SeenLoadBalancer> {
  const all = await ofOwner(subject, owner);
  assert.equal(all.length, 1, `The owner has ${all.length} load balancers instead of one.`);
  const [one] = all;
  if (one === undefined) throw new Error("unreachable");
  return one;
}
