import { strict as assert } from "node:assert";
import type { BalancerOwner } from "../../load-balancers.ts";
import { mutations } from "../contexts-of-bench.ts";
import {
  type BalancerBenchCase,
  type BalancersBench,
  converge,
  lookAndPlan,
  OTHER_CLUSTER,
  onlyOne,
  ownerOf,
  removeAll,
  serve,
  specOf,
} from "./bench.ts";

const WEB = ownerOf("web");

/** What may be the Service's though it does not carry its mark: taken over by consent or proof, and never from another cluster. */
export const balancerAdoptionCases: readonly BalancerBenchCase[] = [
  {
    name: "asks before it takes over one of its name that carries no owner's mark",
    needs: ["createUnowned"],
    check: async (bench) => {
      const id = await bench.fixture.createUnowned?.(WEB);
      const spec = specOf(WEB);
      const { next } = await untouched(bench, { spec });
      assert.equal(next.kind, "unowned");
      assert.equal(next.kind === "unowned" && next.id, id);
      await untouched(bench, { spec, consent: "another" });
      assert.equal((await serve(bench, spec, { consent: id ?? "" })).id, id);
      assert.equal((await onlyOne(bench, WEB)).id, id);
      assert.equal((await serve(bench, spec)).id, id);
    },
  },
  {
    name: "takes over none that has listeners or members of others, whoever consents, and names them",
    needs: ["createUsed"],
    check: async (bench) => {
      const id = (await bench.fixture.createUsed?.(WEB)) ?? "";
      const spec = specOf(WEB);
      for (const consent of [{}, { consent: id }]) {
        const { next } = await untouched(bench, { spec, ...consent });
        assert.equal(next.kind, "unowned");
        const { others = [] } = next.kind === "unowned" ? next : {};
        assert.equal(others.length, 2, `It names ${others.join(", ") || "nothing"}.`);
      }
    },
  },
  {
    name: "finds what stands at the published address, whatever its name, and asks before it takes it over",
    needs: ["createUnowned"],
    check: async (bench) => {
      const { id, published } = await standing(bench, ownerOf("other"));
      const owner = { ...WEB, published };
      const spec = { ...specOf(WEB), owner };
      const { next, candidates = [] } = await untouched(bench, { spec }, owner);
      assert.deepEqual([next.kind, next.kind === "unowned" && next.id], ["unowned", id]);
      assert.deepEqual([candidates[0]?.id, candidates[0]?.addresses], [id, published]);
      const gone = await untouched(bench, { spec: undefined }, owner);
      assert.equal(gone.candidates?.[0]?.id, id);
    },
  },
  {
    name: "adopts what is proven to be the Service's, with what else is on it, and removes it then as its own",
    needs: ["createUsed"],
    check: async (bench) => {
      const proven = (await bench.fixture.createUsed?.(WEB)) ?? "";
      const { changes } = await lookAndPlan(bench, WEB, { spec: specOf(WEB), proven });
      assert.ok(changes.some(({ action }) => action === "adopt"));
      assert.equal((await serve(bench, specOf(WEB), { proven })).id, proven);
      assert.equal((await onlyOne(bench, WEB)).id, proven);
      await removeAll(bench, WEB);
      assert.deepEqual(await bench.fixture.balancers(), []);
    },
  },
  {
    name: "removes what is proven to be the Service's, and nothing that is another cluster's",
    needs: ["createUnowned", "createMarked"],
    check: async (bench) => {
      const proven = (await bench.fixture.createUnowned?.(WEB)) ?? "";
      await converge(bench, WEB, { spec: undefined, proven });
      assert.deepEqual(await bench.fixture.balancers(), []);
      const mark = { clusterUid: OTHER_CLUSTER, objectUid: WEB.objectUid };
      const theirs = (await bench.fixture.createMarked?.(WEB, mark)) ?? "";
      const { candidates = [] } = await untouched(bench, { spec: undefined, proven: theirs });
      assert.equal(candidates[0]?.marked?.isOfThisCluster, false);
    },
  },
  {
    name: "does not remove one of its name that carries no owner's mark",
    needs: ["createUnowned"],
    check: async (bench) => {
      await bench.fixture.createUnowned?.(WEB);
      const { next, candidates = [] } = await untouched(bench, { spec: undefined });
      assert.equal(next.kind, "settled");
      assert.equal(candidates.length, 1, "It does not tell of it.");
    },
  },
  {
    name: "touches no balancer of another cluster, whatever its name and whoever consents",
    needs: ["createMarked"],
    check: async (bench) => {
      const mark = { clusterUid: OTHER_CLUSTER, objectUid: WEB.objectUid };
      const id = (await bench.fixture.createMarked?.(WEB, mark)) ?? "";
      const spec = specOf(WEB);
      const { next } = await untouched(bench, { spec });
      assert.equal(next.kind, "foreign");
      await untouched(bench, { spec, consent: id });
      await untouched(bench, { spec: undefined });
    },
  },
];

/** One with another's name and no owner's mark, once it has its addresses. */
async function standing(bench: BalancersBench, named: BalancerOwner) {
  const id = (await bench.fixture.createUnowned?.(named)) ?? "";
  const seen = (await bench.fixture.balancers()).find((one) => one.id === id);
  const published = seen?.addresses ?? [];
  assert.ok(published.length > 0, "The fixture's load balancer has no address.");
  return { id, published };
}

/** Converges, and demands that nothing was written and that what the cloud has stayed as it is. */
async function untouched(
  bench: BalancersBench,
  wish: Parameters<typeof converge>[2],
  owner: BalancerOwner = WEB,
) {
  const before = { seen: await bench.fixture.balancers(), writes: mutations(bench) };
  const { changes } = await lookAndPlan(bench, owner, wish);
  assert.deepEqual(changes, [], "It would change what is not ours.");
  const last = await converge(bench, owner, wish);
  assert.deepEqual(await bench.fixture.balancers(), before.seen);
  assert.equal(mutations(bench), before.writes);
  return last;
}
