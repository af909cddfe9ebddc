import { strict as assert } from "node:assert";
import { endlessCases, tooLargeAnswerCase } from "../endless.ts";
import { failureOf } from "../failure-of.ts";
import {
  create,
  list,
  onlyOne,
  type RouteBenchCase,
  type RoutesBench,
  remove,
  serve,
  wishFor,
} from "./bench.ts";

/** What a cloud does to its clients: none of it makes a second route, loses one, or looks like an empty table. */
export const routeFaultCases: readonly RouteBenchCase[] = [
  {
    name: "makes no second route after a creation whose answer was lost",
    ofMarks: true,
    needs: ["loseNextAnswer"],
    check: async (bench) => {
      const wish = await wishOfMachine(bench);
      await bench.fixture.loseNextAnswer?.("create");
      const error = await failureOf(create(bench, wish));
      assert.equal(error.call.mayBeDone, true, "It does not say that it may have been made.");
      const { id } = await onlyOne(bench);
      assert.equal((await create(bench, wish)).id, id);
      await onlyOne(bench);
    },
  },
  {
    name: "is done with a removal whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (bench) => {
      const { route } = await serve(bench, "w-1");
      await bench.fixture.loseNextAnswer?.("remove");
      assert.equal((await failureOf(remove(bench, route))).call.mayBeDone, true);
      await remove(bench, route);
      assert.deepEqual(await bench.fixture.table(), []);
    },
  },
  {
    name: "removes what a person removed meanwhile, and makes it anew",
    needs: ["removeRoute"],
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      await bench.fixture.removeRoute?.(route.id);
      await remove(bench, route);
      await create(bench, wishFor("w-1", { providerID }));
      await onlyOne(bench);
    },
  },
  {
    name: "passes on how long a cloud that refuses too many calls wants us to wait",
    needs: ["throttle"],
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      const relent = await bench.fixture.throttle?.(3_000);
      const other = wishFor("w-2", { providerID });
      for (const call of [
        () => list(bench),
        () => create(bench, other),
        () => remove(bench, route),
      ]) {
        const error = await failureOf(call());
        assert.equal(error.code, "Throttled");
        assert.equal(error.call.retryAfterMs, 3_000);
      }
      await relent?.();
      await create(bench, other);
    },
  },
  {
    name: "takes a cloud that cannot be asked for no answer, never for an empty table",
    needs: ["breakCloud"],
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      const repair = await bench.fixture.breakCloud?.();
      await failureOf(list(bench));
      await failureOf(create(bench, wishFor("w-2", { providerID })));
      await failureOf(remove(bench, route));
      await repair?.();
      assert.equal((await onlyOne(bench)).id, route.id);
    },
  },
  {
    name: "says that the table is full, and goes on once there is room",
    needs: ["limitRoutes"],
    check: async (bench) => {
      const { route } = await serve(bench, "w-1");
      await bench.fixture.limitRoutes?.(1);
      const providerID = await bench.fixture.createMachine("w-2");
      const wish = wishFor("w-2", { providerID });
      assert.equal((await failureOf(create(bench, wish))).code, "QuotaExceeded");
      await remove(bench, route);
      const made = await create(bench, wish);
      assert.equal((await onlyOne(bench)).id, made.id);
    },
  },
  ...endlessCases<RoutesBench>({
    read: [list],
    readAgain: async (bench) => {
      const { route } = await serve(bench, "w-1");
      assert.equal((await onlyOne(bench)).id, route.id);
      await list(bench);
    },
  }),
  {
    ...tooLargeAnswerCase<RoutesBench>({
      prepare: async (bench) => {
        const wish = await wishOfMachine(bench);
        return () => create(bench, wish);
      },
      onlyOne,
    }),
    ofMarks: true,
  },
  {
    name: "ends with its signal",
    check: async (bench) => {
      const wish = await wishOfMachine(bench);
      const route = await create(bench, wish);
      const { routes } = bench.fixture;
      const ended = () => bench.context(AbortSignal.abort(new Error("the run was ended")));
      await assert.rejects(routes.list(ended()));
      await assert.rejects(routes.create({ ...wish, destination: "10.120.99.0/24" }, ended()));
      await assert.rejects(routes.remove(route, ended()));
      assert.equal((await onlyOne(bench)).id, route.id);
    },
  },
];

async function wishOfMachine({ fixture }: RoutesBench) {
  return wishFor("w-1", { providerID: await fixture.createMachine("w-1") });
}
