import { strict as assert } from "node:assert";
import type { CloudChange, LoadBalancerSpec } from "../../load-balancers.ts";
import { endlessCases, tooLargeAnswerCase } from "../endless.ts";
import { failureOf } from "../failure-of.ts";
import {
  apply,
  type BalancerBenchCase,
  type BalancersBench,
  converge,
  lookAndPlan,
  observe,
  ofOwner,
  onlyOne,
  ownerOf,
  removeAll,
  serve,
  specOf,
} from "./bench.ts";

const WEB = ownerOf("web");
const OTHER_PORT: Pick<LoadBalancerSpec, "listeners"> = {
  listeners: [{ name: "http", protocol: "TCP", port: 8_080, nodePort: 30_080 }],
};

/** What a cloud does to its clients: none of it makes a second balancer, loses one, or looks like absence. */
export const balancerFaultCases: readonly BalancerBenchCase[] = [
  {
    name: "makes no second balancer after a creation whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (bench) => {
      await bench.fixture.loseNextAnswer?.("create");
      const error = await failureOf(converge(bench, WEB, { spec: specOf(WEB) }));
      assert.equal(error.call.mayBeDone, true, "It does not say that it may have been made.");
      await serve(bench, specOf(WEB));
      await onlyOne(bench, WEB);
    },
  },
  {
    name: "makes no second balancer when the lost creation is sent once more as it was",
    needs: ["loseNextAnswer"],
    check: async (bench) => {
      const change = await firstChange(bench, specOf(WEB));
      await bench.fixture.loseNextAnswer?.("create");
      await failureOf(apply(bench, change));
      await apply(bench, change);
      await serve(bench, specOf(WEB));
      await onlyOne(bench, WEB);
    },
  },
  {
    name: "is in step after a change whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (bench) => {
      const { id } = await serve(bench, specOf(WEB));
      await bench.fixture.loseNextAnswer?.("update");
      const error = await failureOf(converge(bench, WEB, { spec: specOf(WEB, OTHER_PORT) }));
      assert.equal(error.call.mayBeDone, true);
      assert.equal((await serve(bench, specOf(WEB, OTHER_PORT))).id, id);
      assert.deepEqual((await onlyOne(bench, WEB)).ports, [8_080]);
    },
  },
  {
    name: "is done with a removal whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (bench) => {
      await serve(bench, specOf(WEB));
      await bench.fixture.loseNextAnswer?.("delete");
      await failureOf(removeAll(bench, WEB));
      assert.equal((await removeAll(bench, WEB)).next.kind, "settled");
      assert.deepEqual(await bench.fixture.balancers(), []);
    },
  },
  {
    name: "passes on how long a cloud that refuses too many calls wants us to wait",
    needs: ["throttle"],
    check: async (bench) => {
      const change = await firstChange(bench, specOf(WEB));
      const relent = await bench.fixture.throttle?.(3_000);
      for (const call of [() => observe(bench, WEB), () => apply(bench, change)]) {
        const error = await failureOf(call());
        assert.equal(error.code, "Throttled");
        assert.equal(error.call.retryAfterMs, 3_000);
      }
      await relent?.();
      await serve(bench, specOf(WEB));
    },
  },
  {
    name: "takes a cloud that cannot be asked for no answer, never for absence",
    needs: ["breakCloud"],
    check: async (bench) => {
      await serve(bench, specOf(WEB));
      const owners = [WEB, ...Array.from({ length: 8 }, (_, index) => ownerOf(`s-${index}`))];
      const repair = await bench.fixture.breakCloud?.();
      for (const some of [owners.slice(0, 1), owners]) {
        const answers = await bench.fixture.loadBalancers.observe(some, bench.context());
        assert.deepEqual(
          some.map(({ objectUid }) => answers.get(objectUid)?.kind),
          some.map(() => "failed"),
        );
      }
      await failureOf(bench.fixture.loadBalancers.owned(WEB.clusterUid, bench.context()));
      await repair?.();
      await serve(bench, specOf(WEB));
      await onlyOne(bench, WEB);
    },
  },
  {
    name: "says that the quota is used up, and goes on once there is room",
    needs: ["limitBalancers"],
    check: async (bench) => {
      await serve(bench, specOf(WEB));
      await bench.fixture.limitBalancers?.(1);
      const other = ownerOf("api");
      const error = await failureOf(converge(bench, other, { spec: specOf(other) }));
      assert.equal(error.code, "QuotaExceeded");
      await removeAll(bench, WEB);
      await serve(bench, specOf(other));
    },
  },
  {
    name: "waits outside of its calls for a cloud that takes its time, and loses no change meanwhile",
    needs: ["slowDown"],
    check: async (bench) => {
      await bench.fixture.slowDown?.(400);
      await apply(bench, await firstChange(bench, specOf(WEB)));
      const busy = await lookAndPlan(bench, WEB, { spec: specOf(WEB, OTHER_PORT) });
      assert.deepEqual(busy.changes, [], "It would change what the cloud is at work on.");
      assert.equal(busy.next.kind, "inProgress");
      assert.ok(busy.next.kind === "inProgress" && busy.next.dueMs > 0);
      assert.equal(busy.status, undefined, "It publishes what does not serve yet.");
      await serve(bench, specOf(WEB, OTHER_PORT));
      assert.deepEqual((await onlyOne(bench, WEB)).ports, [8_080]);
      await removeAll(bench, WEB);
      assert.deepEqual(await bench.fixture.balancers(), []);
    },
  },
  {
    name: "heals or replaces a broken balancer, and never has two",
    needs: ["breakBalancer"],
    check: async (bench) => {
      let { id } = await serve(bench, specOf(WEB));
      for (let time = 0; time < 3; time++) {
        await bench.fixture.breakBalancer?.(id);
        id = await healed(bench);
      }
    },
  },
  {
    name: "replaces a balancer that stays broken",
    needs: ["breakBalancer"],
    check: async (bench) => {
      const { id } = await serve(bench, specOf(WEB));
      await bench.fixture.breakBalancer?.(id);
      const { changes } = await lookAndPlan(bench, WEB, { spec: specOf(WEB) });
      for (const change of changes) await apply(bench, change);
      for (const { id: left } of await ofOwner(bench, WEB)) {
        await bench.fixture.breakBalancer?.(left);
      }
      await healed(bench);
    },
  },
  ...endlessCases<BalancersBench>({
    read: [
      (bench) => observe(bench, WEB),
      async (bench) => {
        const owners = Array.from({ length: 8 }, (_, index) => ownerOf(`s-${index}`));
        const answers = await bench.fixture.loadBalancers.observe(owners, bench.context());
        const failed = [...answers.values()].find(({ kind }) => kind === "failed");
        if (failed?.kind === "failed") throw failed.error;
      },
      ({ fixture, context }) => fixture.loadBalancers.owned(WEB.clusterUid, context()),
    ],
    readAgain: (bench) => serve(bench, specOf(WEB)),
  }),
  tooLargeAnswerCase<BalancersBench>({
    prepare: async (bench) => {
      const change = await firstChange(bench, specOf(WEB));
      return () => apply(bench, change);
    },
    onlyOne: async (bench) => {
      await serve(bench, specOf(WEB));
      await onlyOne(bench, WEB);
    },
  }),
  {
    name: "ends with its signal",
    check: async (bench) => {
      const ended = AbortSignal.abort(new Error("the run was ended"));
      await assert.rejects(bench.fixture.loadBalancers.observe([WEB], bench.context(ended)));
      const change = await firstChange(bench, specOf(WEB));
      await assert.rejects(bench.fixture.loadBalancers.apply(change, bench.context(ended)));
      assert.deepEqual(await ofOwner(bench, WEB), []);
    },
  },
];

async function firstChange(bench: BalancersBench, spec: LoadBalancerSpec): Promise<CloudChange> {
  const [change] = (await lookAndPlan(bench, spec.owner, { spec })).changes;
  assert.ok(change, "It plans nothing although something is to be done.");
  return change;
}

/** Converges one change at a time, and counts after each. */
async function healed(bench: BalancersBench): Promise<string> {
  for (let pass = 0; pass < 10; pass++) {
    const [change] = (await lookAndPlan(bench, WEB, { spec: specOf(WEB) })).changes;
    if (change === undefined) break;
    await apply(bench, change);
    const { length } = await ofOwner(bench, WEB);
    assert.ok(length <= 1, `There were ${length} balancers at the same time.`);
  }
  const { id } = await serve(bench, specOf(WEB));
  assert.equal((await onlyOne(bench, WEB)).isBroken, false, "It is still broken.");
  return id;
}
