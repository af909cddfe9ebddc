import { strict as assert } from "node:assert";
import { isIP } from "node:net";
import type { BalancerOwner } from "../../load-balancers.ts";
import {
  type BalancerBenchCase,
  type BalancersBench,
  CLUSTER,
  OTHER_CLUSTER,
  ofOwner,
  onlyOne,
  ownerOf,
  removeAll,
  serve,
  specOf,
} from "./bench.ts";

const WEB = ownerOf("web");
const MANY = 16;

/** Whose a balancer is: what is not ours is never touched. */
export const balancerOwnerCases: readonly BalancerBenchCase[] = [
  {
    name: "keeps two clusters of the same name in one project apart",
    check: async (bench) => {
      const theirs = ownerOf("web", OTHER_CLUSTER);
      await serve(bench, specOf(WEB));
      await serve(bench, specOf(theirs));
      for (const [owner, cluster] of [
        [WEB, CLUSTER],
        [theirs, OTHER_CLUSTER],
      ] as const) {
        const owned = await bench.fixture.loadBalancers.owned(cluster, bench.context());
        assert.deepEqual(
          owned.map(({ mark, facts }) => [mark.objectUid, facts.id]),
          [[owner.objectUid, (await onlyOne(bench, owner)).id]],
        );
      }
      await removeAll(bench, WEB);
      await onlyOne(bench, theirs);
    },
  },
  {
    name: "tells for which class a balancer was last made right, so that two controllers of a cluster know their own",
    needs: ["keepsClass"],
    check: async (bench) => {
      const ids = new Set<string>();
      for (const loadBalancerClass of ["example.com/a", "example.com/b", undefined]) {
        const owner = loadBalancerClass === undefined ? WEB : { ...WEB, loadBalancerClass };
        const { made, id } = await serve(bench, specOf(owner));
        ids.add(id);
        const owned = await bench.fixture.loadBalancers.owned(CLUSTER, bench.context());
        const told = [made.actual, owned[0]?.facts].map((facts) => facts?.loadBalancerClass);
        assert.deepEqual(told, [loadBalancerClass, loadBalancerClass]);
      }
      assert.equal(ids.size, 1, "Another class made another balancer.");
    },
  },
  {
    name: "serves many Services at the same time, each with one balancer",
    check: async (bench) => {
      const owners = Array.from({ length: MANY }, (_, index) => ownerOf(`s-${index}`));
      await Promise.all(owners.map((owner) => serve(bench, specOf(owner))));
      for (const owner of owners) await onlyOne(bench, owner);
      await Promise.all(owners.slice(1).map((owner) => removeAll(bench, owner)));
      assert.equal((await bench.fixture.balancers()).length, 1);
    },
  },
  {
    name: "observes many owners with few calls, each under its UID",
    notWrapped: true,
    check: async (bench) => {
      const owners = Array.from({ length: MANY }, (_, index) => ownerOf(`s-${index}`));
      await serve(bench, specOf(owners[0] ?? WEB));
      const before = bench.calls.length;
      const answers = await bench.fixture.loadBalancers.observe(owners, bench.context());
      const asked = bench.calls.length - before;
      assert.deepEqual(new Set(answers.keys()), new Set(owners.map(({ objectUid }) => objectUid)));
      assert.ok([...answers.values()].every(({ kind }) => kind === "known"));
      assert.ok(asked <= MANY / 2, `${MANY} observations took ${asked} calls.`);
    },
  },
  {
    name: "gives Services whose names differ in the last letter balancers of their own",
    check: async (bench) => {
      const long = "a".repeat(62);
      const owners: readonly BalancerOwner[] = ["b", "c"].map((last) => ({
        ...ownerOf(`${long}${last}`),
        namespace: "n".repeat(63),
        clusterName: "k".repeat(300),
      }));
      const ids = new Set<string>();
      for (const owner of owners) ids.add((await serve(bench, specOf(owner))).id);
      assert.equal(ids.size, owners.length);
      for (const owner of owners) await removeAll(bench, owner);
      assert.deepEqual(await bench.fixture.balancers(), []);
    },
  },
  {
    name: "keeps of two with the mark the one that the Service is reached by",
    needs: ["createMarked"],
    check: async (bench) => {
      const older = (await bench.fixture.createMarked?.(WEB, WEB)) ?? "";
      const younger = (await bench.fixture.createMarked?.(WEB, WEB)) ?? "";
      await keptOfTwo(bench, younger);
      await bench.fixture.createMarked?.(WEB, WEB);
      await keptOfTwo(bench, younger);
      assert.notEqual(older, younger);
    },
  },
  {
    name: "removes all that carry the mark",
    needs: ["createMarked"],
    check: async (bench) => {
      await serve(bench, specOf(WEB));
      await bench.fixture.createMarked?.(WEB, WEB);
      await removeAll(bench, WEB);
      assert.deepEqual(await bench.fixture.balancers(), []);
    },
  },
  {
    name: "reads every page of what a cluster has",
    needs: ["fill"],
    check: async (bench) => {
      const count = 1_100;
      await bench.fixture.fill?.(CLUSTER, count);
      const { id } = await serve(bench, specOf(WEB));
      const owned = await bench.fixture.loadBalancers.owned(CLUSTER, bench.context());
      assert.equal(owned.length, count + 1);
      assert.equal(new Set(owned.map(({ facts }) => facts.id)).size, count + 1);
      assert.ok(owned.some(({ facts }) => facts.id === id));
      const others = Array.from({ length: MANY }, (_, index) => ownerOf(`none-${index}`));
      const answers = await bench.fixture.loadBalancers.observe([...others, WEB], bench.context());
      const seen = answers.get(WEB.objectUid);
      assert.ok(seen?.kind === "known");
      const { changes } = bench.fixture.loadBalancers.plan({
        owner: WEB,
        spec: specOf(WEB),
        observed: seen.observed,
        published: { ingress: [] },
      });
      assert.deepEqual(changes, [], "A balancer on a later page was not seen.");
    },
  },
];

/** Publishes one of two, whether it is the older or the younger, and demands that it alone is left. */
async function keptOfTwo(bench: BalancersBench, id: string): Promise<void> {
  const both = await ofOwner(bench, WEB);
  assert.equal(both.length, 2);
  const addresses = both.find((one) => one.id === id)?.addresses ?? [];
  const ingress = addresses.map((address) =>
    isIP(address) === 0 ? { hostname: address } : { ip: address },
  );
  assert.equal((await serve(bench, specOf(WEB), { published: { ingress } })).id, id);
  assert.equal((await onlyOne(bench, WEB)).id, id);
}
