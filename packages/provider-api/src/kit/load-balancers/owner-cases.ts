import { strict as assert } from "node:assert";
import { isIP } from "node:net";
import type { LoadBalancerOwner } from "../../load-balancers.ts";
import {
  CLUSTER,
  type LoadBalancerCase,
  type LoadBalancersSubject,
  OTHER_CLUSTER,
  ofOwner,
  onlyOne,
  ownerOf,
  removeAll,
  serve,
  specOf,
} from "./steps.ts";

const WEB = ownerOf("web");
const MANY = 16;

/** Who owns a load balancer: foreign ones are never touched. */
export const loadBalancerOwnerCases: readonly LoadBalancerCase[] = [
  {
    name: "keeps two clusters of the same name in one project apart",
    check: async (subject) => {
      const theirs = ownerOf("web", OTHER_CLUSTER);
      await serve(subject, specOf(WEB));
      await serve(subject, specOf(theirs));
      for (const [owner, cluster] of [
        [WEB, CLUSTER],
        [theirs, OTHER_CLUSTER],
      ] as const) {
        const owned = await subject.fixture.loadBalancers.owned(cluster, subject.context());
        assert.deepEqual(
          owned.map(({ owner: mark, facts }) => [mark.objectUid, facts.id]),
          [[owner.objectUid, (await onlyOne(subject, owner)).id]],
        );
      }
      await removeAll(subject, WEB);
      await onlyOne(subject, theirs);
    },
  },
  {
    name: "reports for which class a load balancer was last put in sync, so that two controllers of a cluster know their own",
    needs: ["keepsClass"],
    check: async (subject) => {
      const ids = new Set<string>();
      for (const loadBalancerClass of ["example.com/a", "example.com/b", undefined]) {
        const owner = loadBalancerClass === undefined ? WEB : { ...WEB, loadBalancerClass };
        const { made, id } = await serve(subject, specOf(owner));
        ids.add(id);
        const owned = await subject.fixture.loadBalancers.owned(CLUSTER, subject.context());
        const reported = [made.actual, owned[0]?.facts].map((facts) => facts?.loadBalancerClass);
        assert.deepEqual(reported, [loadBalancerClass, loadBalancerClass]);
      }
      assert.equal(ids.size, 1, "Another class created a second load balancer.");
    },
  },
  {
    name: "serves many Services at the same time, each with one load balancer",
    check: async (subject) => {
      const { servedAtOnce = MANY } = subject.fixture;
      assert.ok(servedAtOnce >= 2, "One Service alone is not served at the same time as others.");
      const owners = Array.from({ length: servedAtOnce }, (_, index) => ownerOf(`s-${index}`));
      await Promise.all(owners.map((owner) => serve(subject, specOf(owner))));
      for (const owner of owners) await onlyOne(subject, owner);
      await Promise.all(owners.slice(1).map((owner) => removeAll(subject, owner)));
      assert.equal((await subject.fixture.existing()).length, 1);
    },
  },
  {
    name: "observes many owners with few calls, each under its UID",
    needs: ["notWrapped"],
    check: async (subject) => {
      const owners = Array.from({ length: MANY }, (_, index) => ownerOf(`s-${index}`));
      await serve(subject, specOf(owners[0] ?? WEB));
      const before = subject.calls.length;
      const answers = await subject.fixture.loadBalancers.observe(owners, subject.context());
      const asked = subject.calls.length - before;
      assert.deepEqual(new Set(answers.keys()), new Set(owners.map(({ objectUid }) => objectUid)));
      assert.ok([...answers.values()].every(({ kind }) => kind === "known"));
      assert.ok(asked <= MANY / 2, `${MANY} observations took ${asked} calls.`);
    },
  },
  {
    name: "gives Services whose names differ in the last letter load balancers of their own",
    check: async (subject) => {
      const long = "a".repeat(62);
      const owners: readonly LoadBalancerOwner[] = ["b", "c"].map((last) => ({
        ...ownerOf(`${long}${last}`),
        namespace: "n".repeat(63),
        clusterName: "k".repeat(300),
      }));
      const ids = new Set<string>();
      for (const owner of owners) ids.add((await serve(subject, specOf(owner))).id);
      assert.equal(ids.size, owners.length);
      for (const owner of owners) await removeAll(subject, owner);
      assert.deepEqual(await subject.fixture.existing(), []);
    },
  },
  {
    name: "keeps of two with the mark the one that the Service is reached by",
    needs: ["createOwned"],
    check: async (subject) => {
      const older = (await subject.fixture.createOwned?.(WEB, WEB)) ?? "";
      const younger = (await subject.fixture.createOwned?.(WEB, WEB)) ?? "";
      await keptOfTwo(subject, younger);
      await subject.fixture.createOwned?.(WEB, WEB);
      await keptOfTwo(subject, younger);
      assert.notEqual(older, younger);
    },
  },
  {
    name: "removes all that carry the mark",
    needs: ["createOwned"],
    check: async (subject) => {
      await serve(subject, specOf(WEB));
      await subject.fixture.createOwned?.(WEB, WEB);
      await removeAll(subject, WEB);
      assert.deepEqual(await subject.fixture.existing(), []);
    },
  },
  {
    name: "reads every page of what a cluster has",
    needs: ["fill"],
    check: async (subject) => {
      const count = 1_100;
      await subject.fixture.fill?.(CLUSTER, count);
      const { id } = await serve(subject, specOf(WEB));
      const owned = await subject.fixture.loadBalancers.owned(CLUSTER, subject.context());
      assert.equal(owned.length, count + 1);
      assert.equal(new Set(owned.map(({ facts }) => facts.id)).size, count + 1);
      assert.ok(owned.some(({ facts }) => facts.id === id));
      const others = Array.from({ length: MANY }, (_, index) => ownerOf(`none-${index}`));
      const answers = await subject.fixture.loadBalancers.observe(
        [...others, WEB],
        subject.context(),
      );
      const seen = answers.get(WEB.objectUid);
      assert.ok(seen?.kind === "known");
      const { changes } = await subject.fixture.loadBalancers.plan({
        owner: WEB,
        spec: specOf(WEB),
        observed: seen.observed,
        published: { ingress: [] },
      });
      assert.deepEqual(changes, [], "A load balancer on a later page was not seen.");
    },
  },
];

/** Publishes one of two, whether it is the older or the younger, and requires that only that one is left. */
async function keptOfTwo(subject: LoadBalancersSubject, id: string): Promise<void> {
  const both = await ofOwner(subject, WEB);
  assert.equal(both.length, 2);
  const addresses = both.find((one) => one.id === id)?.addresses ?? [];
  const ingress = addresses.map((address) =>
    isIP(address) === 0 ? { hostname: address } : { ip: address },
  );
  assert.equal((await serve(subject, specOf(WEB), { published: { ingress } })).id, id);
  assert.equal((await onlyOne(subject, WEB)).id, id);
}
