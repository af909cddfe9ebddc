import { strict as assert } from "node:assert";
import type { CloudChange, LoadBalancerSpec } from "../../load-balancers.ts";
import { endlessCases, tooLargeAnswerCase } from "../endless.ts";
import { failureOf } from "../failure-of.ts";
import {
  apply,
  converge,
  type LoadBalancerCase,
  type LoadBalancersSubject,
  observe,
  observeAndPlan,
  ofOwner,
  onlyOne,
  ownerOf,
  removeAll,
  serve,
  specOf,
} from "./steps.ts";

const WEB = ownerOf("web");
const OTHER_PORT: Pick<LoadBalancerSpec, "listeners"> = {
  listeners: [{ name: "http", protocol: "TCP", port: 8_080, nodePort: 30_080 }],
};

/** A cloud's faults: none of them creates a second load balancer, loses one, or looks like absence. */
export const loadBalancerFaultCases: readonly LoadBalancerCase[] = [
  {
    name: "makes no second load balancer after a creation whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (subject) => {
      await subject.fixture.loseNextAnswer?.("create");
      const error = await failureOf(converge(subject, WEB, { spec: specOf(WEB) }));
      assert.equal(error.call.mayBeDone, true, "The error does not set mayBeDone.");
      await serve(subject, specOf(WEB));
      await onlyOne(subject, WEB);
    },
  },
  {
    name: "makes no second load balancer when the lost creation is sent once more as it was",
    needs: ["loseNextAnswer"],
    check: async (subject) => {
      const change = await firstChange(subject, specOf(WEB));
      await subject.fixture.loseNextAnswer?.("create");
      await failureOf(apply(subject, change));
      await apply(subject, change);
      await serve(subject, specOf(WEB));
      await onlyOne(subject, WEB);
    },
  },
  {
    name: "is in sync after a change whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (subject) => {
      const { id } = await serve(subject, specOf(WEB));
      await subject.fixture.loseNextAnswer?.("update");
      const error = await failureOf(converge(subject, WEB, { spec: specOf(WEB, OTHER_PORT) }));
      assert.equal(error.call.mayBeDone, true);
      assert.equal((await serve(subject, specOf(WEB, OTHER_PORT))).id, id);
      assert.deepEqual((await onlyOne(subject, WEB)).ports, [8_080]);
    },
  },
  {
    name: "is done with a removal whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (subject) => {
      await serve(subject, specOf(WEB));
      await subject.fixture.loseNextAnswer?.("delete");
      await failureOf(removeAll(subject, WEB));
      assert.equal((await removeAll(subject, WEB)).next.kind, "settled");
      assert.deepEqual(await subject.fixture.existing(), []);
    },
  },
  {
    name: "passes on how long a cloud that refuses too many calls wants us to wait",
    needs: ["throttle"],
    check: async (subject) => {
      const change = await firstChange(subject, specOf(WEB));
      const relent = await subject.fixture.throttle?.(3_000);
      for (const call of [() => observe(subject, WEB), () => apply(subject, change)]) {
        const error = await failureOf(call());
        assert.equal(error.code, "Throttled");
        assert.equal(error.call.retryAfterMs, 3_000);
      }
      await relent?.();
      await serve(subject, specOf(WEB));
    },
  },
  {
    name: "takes a cloud that cannot be asked for no answer, never for absence",
    needs: ["breakCloud"],
    check: async (subject) => {
      await serve(subject, specOf(WEB));
      const owners = [WEB, ...Array.from({ length: 8 }, (_, index) => ownerOf(`s-${index}`))];
      const repair = await subject.fixture.breakCloud?.();
      for (const some of [owners.slice(0, 1), owners]) {
        const answers = await subject.fixture.loadBalancers.observe(some, subject.context());
        assert.deepEqual(
          some.map(({ objectUid }) => answers.get(objectUid)?.kind),
          some.map(() => "failed"),
        );
      }
      await failureOf(subject.fixture.loadBalancers.owned(WEB.clusterUid, subject.context()));
      await repair?.();
      await serve(subject, specOf(WEB));
      await onlyOne(subject, WEB);
    },
  },
  {
    name: "says that the quota is used up, and goes on once there is room",
    needs: ["limitLoadBalancers"],
    check: async (subject) => {
      await serve(subject, specOf(WEB));
      await subject.fixture.limitLoadBalancers?.(1);
      const other = ownerOf("api");
      const error = await failureOf(converge(subject, other, { spec: specOf(other) }));
      assert.equal(error.code, "QuotaExceeded");
      await removeAll(subject, WEB);
      await serve(subject, specOf(other));
    },
  },
  {
    name: "waits outside of its calls for a cloud that takes its time, and loses no change meanwhile",
    needs: ["slowDown"],
    check: async (subject) => {
      await subject.fixture.slowDown?.(400);
      await apply(subject, await firstChange(subject, specOf(WEB)));
      const busy = await observeAndPlan(subject, WEB, { spec: specOf(WEB, OTHER_PORT) });
      assert.deepEqual(
        busy.changes,
        [],
        "It would change a load balancer while the cloud is changing it.",
      );
      assert.equal(busy.next.kind, "inProgress");
      assert.ok(busy.next.kind === "inProgress" && busy.next.dueMs > 0);
      assert.equal(busy.status, undefined, "It publishes an address that does not serve yet.");
      await serve(subject, specOf(WEB, OTHER_PORT));
      assert.deepEqual((await onlyOne(subject, WEB)).ports, [8_080]);
      await removeAll(subject, WEB);
      assert.deepEqual(await subject.fixture.existing(), []);
    },
  },
  {
    name: "heals or replaces a broken load balancer, and never has two",
    needs: ["breakLoadBalancer"],
    check: async (subject) => {
      let { id } = await serve(subject, specOf(WEB));
      for (let time = 0; time < 3; time++) {
        await subject.fixture.breakLoadBalancer?.(id);
        id = await healed(subject);
      }
    },
  },
  {
    name: "replaces a load balancer that stays broken",
    needs: ["breakLoadBalancer"],
    check: async (subject) => {
      const { id } = await serve(subject, specOf(WEB));
      await subject.fixture.breakLoadBalancer?.(id);
      const { changes } = await observeAndPlan(subject, WEB, { spec: specOf(WEB) });
      for (const change of changes) await apply(subject, change);
      for (const { id: left } of await ofOwner(subject, WEB)) {
        await subject.fixture.breakLoadBalancer?.(left);
      }
      await healed(subject);
    },
  },
  ...endlessCases<LoadBalancersSubject>({
    read: [
      (subject) => observe(subject, WEB),
      async (subject) => {
        const owners = Array.from({ length: 8 }, (_, index) => ownerOf(`s-${index}`));
        const answers = await subject.fixture.loadBalancers.observe(owners, subject.context());
        const failed = [...answers.values()].find(({ kind }) => kind === "failed");
        if (failed?.kind === "failed") throw failed.error;
      },
      ({ fixture, context }) => fixture.loadBalancers.owned(WEB.clusterUid, context()),
    ],
    readAgain: (subject) => serve(subject, specOf(WEB)),
  }),
  tooLargeAnswerCase<LoadBalancersSubject>({
    prepare: async (subject) => {
      const change = await firstChange(subject, specOf(WEB));
      return () => apply(subject, change);
    },
    onlyOne: async (subject) => {
      await serve(subject, specOf(WEB));
      await onlyOne(subject, WEB);
    },
  }),
  {
    name: "ends with its signal",
    check: async (subject) => {
      const ended = AbortSignal.abort(new Error("the run was ended"));
      await assert.rejects(subject.fixture.loadBalancers.observe([WEB], subject.context(ended)));
      const change = await firstChange(subject, specOf(WEB));
      await assert.rejects(subject.fixture.loadBalancers.apply(change, subject.context(ended)));
      assert.deepEqual(await ofOwner(subject, WEB), []);
    },
  },
];

async function firstChange(
  subject: LoadBalancersSubject,
  spec: LoadBalancerSpec,
): Promise<CloudChange> {
  const [change] = (await observeAndPlan(subject, spec.owner, { spec })).changes;
  assert.ok(change, "It plans nothing although a change is needed.");
  return change;
}

/** Converges one change at a time, and counts the load balancers after each. */
async function healed(subject: LoadBalancersSubject): Promise<string> {
  for (let pass = 0; pass < 10; pass++) {
    const [change] = (await observeAndPlan(subject, WEB, { spec: specOf(WEB) })).changes;
    if (change === undefined) break;
    await apply(subject, change);
    const { length } = await ofOwner(subject, WEB);
    assert.ok(length <= 1, `There were ${length} load balancers at the same time.`);
  }
  const { id } = await serve(subject, specOf(WEB));
  assert.equal((await onlyOne(subject, WEB)).isBroken, false, "It is still broken.");
  return id;
}
