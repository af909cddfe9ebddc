import { strict as assert } from "node:assert";
import type { LoadBalancerOwner } from "../../load-balancers.ts";
import { mutations } from "../recorded-contexts.ts";
import {
  converge,
  type LoadBalancerCase,
  type LoadBalancersSubject,
  OTHER_CLUSTER,
  observeAndPlan,
  onlyOne,
  ownerOf,
  removeAll,
  serve,
  specOf,
} from "./steps.ts";

const WEB = ownerOf("web");

/**
 * Load balancers that may belong to the Service although they do not carry its owner: adopted by consent or proof, and never from another
 * cluster.
 */
export const loadBalancerAdoptionCases: readonly LoadBalancerCase[] = [
  {
    name: "asks before it takes over one of its name that carries no owner's mark",
    needs: ["createUnowned"],
    check: async (subject) => {
      const id = await subject.fixture.createUnowned?.(WEB);
      const spec = specOf(WEB);
      const { next } = await untouched(subject, { spec });
      assert.equal(next.kind, "unowned");
      assert.equal(next.kind === "unowned" && next.id, id);
      await untouched(subject, { spec, consent: "another" });
      assert.equal((await serve(subject, spec, { consent: id ?? "" })).id, id);
      assert.equal((await onlyOne(subject, WEB)).id, id);
      assert.equal((await serve(subject, spec)).id, id);
    },
  },
  {
    name: "takes over none that has listeners or members of others, whoever consents, and names them",
    needs: ["createUsed"],
    check: async (subject) => {
      const id = (await subject.fixture.createUsed?.(WEB)) ?? "";
      const spec = specOf(WEB);
      for (const consent of [{}, { consent: id }]) {
        const { next } = await untouched(subject, { spec, ...consent });
        assert.equal(next.kind, "unowned");
        const { others = [] } = next.kind === "unowned" ? next : {};
        assert.equal(others.length, 2, `It names ${others.join(", ") || "nothing"}.`);
      }
    },
  },
  {
    name: "finds what stands at the published address, whatever its name, and asks before it takes it over",
    needs: ["createUnowned"],
    check: async (subject) => {
      const { id, published } = await standing(subject, ownerOf("other"));
      const owner = { ...WEB, published };
      const spec = { ...specOf(WEB), owner };
      const { next, candidates = [] } = await untouched(subject, { spec }, owner);
      assert.deepEqual([next.kind, next.kind === "unowned" && next.id], ["unowned", id]);
      assert.deepEqual([candidates[0]?.id, candidates[0]?.addresses], [id, published]);
      const gone = await untouched(subject, { spec: undefined }, owner);
      assert.equal(gone.candidates?.[0]?.id, id);
    },
  },
  {
    name: "adopts what is proven to be the Service's, with what else is on it, and removes it then as its own",
    needs: ["createUsed"],
    check: async (subject) => {
      const proven = (await subject.fixture.createUsed?.(WEB)) ?? "";
      const { changes } = await observeAndPlan(subject, WEB, { spec: specOf(WEB), proven });
      assert.ok(changes.some(({ action }) => action === "adopt"));
      assert.equal((await serve(subject, specOf(WEB), { proven })).id, proven);
      assert.equal((await onlyOne(subject, WEB)).id, proven);
      await removeAll(subject, WEB);
      assert.deepEqual(await subject.fixture.existing(), []);
    },
  },
  {
    name: "removes what is proven to be the Service's, and nothing that is another cluster's",
    needs: ["createUnowned", "createOwned"],
    check: async (subject) => {
      const proven = (await subject.fixture.createUnowned?.(WEB)) ?? "";
      await converge(subject, WEB, { spec: undefined, proven });
      assert.deepEqual(await subject.fixture.existing(), []);
      const mark = { clusterUid: OTHER_CLUSTER, objectUid: WEB.objectUid };
      const theirs = (await subject.fixture.createOwned?.(WEB, mark)) ?? "";
      const { candidates = [] } = await untouched(subject, { spec: undefined, proven: theirs });
      assert.equal(candidates[0]?.ownedBy?.isOfThisCluster, false);
    },
  },
  {
    name: "does not remove one of its name that carries no owner's mark",
    needs: ["createUnowned"],
    check: async (subject) => {
      await subject.fixture.createUnowned?.(WEB);
      const { next, candidates = [] } = await untouched(subject, { spec: undefined });
      assert.equal(next.kind, "settled");
      assert.equal(candidates.length, 1, "It does not report it.");
    },
  },
  {
    name: "touches no load balancer of another cluster, whatever its name and whoever consents",
    needs: ["createOwned"],
    check: async (subject) => {
      const mark = { clusterUid: OTHER_CLUSTER, objectUid: WEB.objectUid };
      const id = (await subject.fixture.createOwned?.(WEB, mark)) ?? "";
      const spec = specOf(WEB);
      const { next } = await untouched(subject, { spec });
      assert.equal(next.kind, "foreign");
      await untouched(subject, { spec, consent: id });
      await untouched(subject, { spec: undefined });
    },
  },
];

/** Returns an unowned load balancer with another owner's name, once it has its addresses. */
async function standing(subject: LoadBalancersSubject, named: LoadBalancerOwner) {
  const id = (await subject.fixture.createUnowned?.(named)) ?? "";
  const seen = (await subject.fixture.existing()).find((one) => one.id === id);
  const published = seen?.addresses ?? [];
  assert.ok(published.length > 0, "The fixture's load balancer has no address.");
  return { id, published };
}

/** Converges, and requires that nothing was written and that the cloud is unchanged. */
async function untouched(
  subject: LoadBalancersSubject,
  options: Parameters<typeof converge>[2],
  owner: LoadBalancerOwner = WEB,
) {
  const before = { seen: await subject.fixture.existing(), writes: mutations(subject) };
  const { changes } = await observeAndPlan(subject, owner, options);
  assert.deepEqual(changes, [], "It would change a load balancer that the Service does not own.");
  const last = await converge(subject, owner, options);
  assert.deepEqual(await subject.fixture.existing(), before.seen);
  assert.equal(mutations(subject), before.writes);
  return last;
}
