import { strict as assert } from "node:assert";
import { endlessCases, tooLargeAnswerCase } from "../endless.ts";
import { failureOf } from "../failure-of.ts";
import {
  create,
  list,
  onlyOne,
  optionsFor,
  type RouteCase,
  type RoutesSubject,
  remove,
  serve,
} from "./steps.ts";

/** A cloud's faults: none of them creates a second route, loses one, or looks like an empty table. */
export const routeFaultCases: readonly RouteCase[] = [
  {
    name: "makes no second route after a creation whose answer was lost",
    needs: ["storesOwner", "loseNextAnswer"],
    check: async (subject) => {
      const options = await optionsOfMachine(subject);
      await subject.fixture.loseNextAnswer?.("create");
      const error = await failureOf(create(subject, options));
      assert.equal(error.call.mayBeDone, true, "The error does not set mayBeDone.");
      const { id } = await onlyOne(subject);
      assert.equal((await create(subject, options)).id, id);
      await onlyOne(subject);
    },
  },
  {
    name: "is done with a removal whose answer was lost",
    needs: ["loseNextAnswer"],
    check: async (subject) => {
      const { route } = await serve(subject, "w-1");
      await subject.fixture.loseNextAnswer?.("remove");
      assert.equal((await failureOf(remove(subject, route))).call.mayBeDone, true);
      await remove(subject, route);
      assert.deepEqual(await subject.fixture.table(), []);
    },
  },
  {
    name: "removes what a person removed meanwhile, and makes it anew",
    needs: ["removeRoute"],
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      await subject.fixture.removeRoute?.(route.id);
      await remove(subject, route);
      await create(subject, optionsFor("w-1", { providerID }));
      await onlyOne(subject);
    },
  },
  {
    name: "passes on how long a cloud that refuses too many calls wants us to wait",
    needs: ["throttle"],
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      const relent = await subject.fixture.throttle?.(3_000);
      const other = optionsFor("w-2", { providerID });
      for (const call of [
        () => list(subject),
        () => create(subject, other),
        () => remove(subject, route),
      ]) {
        const error = await failureOf(call());
        assert.equal(error.code, "Throttled");
        assert.equal(error.call.retryAfterMs, 3_000);
      }
      await relent?.();
      await create(subject, other);
    },
  },
  {
    name: "takes a cloud that cannot be asked for no answer, never for an empty table",
    needs: ["breakCloud"],
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      const repair = await subject.fixture.breakCloud?.();
      await failureOf(list(subject));
      await failureOf(create(subject, optionsFor("w-2", { providerID })));
      await failureOf(remove(subject, route));
      await repair?.();
      assert.equal((await onlyOne(subject)).id, route.id);
    },
  },
  {
    name: "says that the table is full, and goes on once there is room",
    needs: ["limitRoutes"],
    check: async (subject) => {
      const { route } = await serve(subject, "w-1");
      await subject.fixture.limitRoutes?.(1);
      const providerID = await subject.fixture.createMachine("w-2");
      const options = optionsFor("w-2", { providerID });
      assert.equal((await failureOf(create(subject, options))).code, "QuotaExceeded");
      await remove(subject, route);
      const made = await create(subject, options);
      assert.equal((await onlyOne(subject)).id, made.id);
    },
  },
  ...endlessCases<RoutesSubject>({
    read: [list],
    readAgain: async (subject) => {
      const { route } = await serve(subject, "w-1");
      assert.equal((await onlyOne(subject)).id, route.id);
      await list(subject);
    },
  }),
  {
    ...tooLargeAnswerCase<RoutesSubject>({
      prepare: async (subject) => {
        const options = await optionsOfMachine(subject);
        return () => create(subject, options);
      },
      onlyOne,
    }),
    needs: ["storesOwner", "answerWithoutEnd"],
  },
  {
    name: "ends with its signal",
    check: async (subject) => {
      const options = await optionsOfMachine(subject);
      const route = await create(subject, options);
      const { routes } = subject.fixture;
      const ended = () => subject.context(AbortSignal.abort(new Error("the run was ended")));
      await assert.rejects(routes.list(ended()));
      await assert.rejects(routes.create({ ...options, destination: "10.120.99.0/24" }, ended()));
      await assert.rejects(routes.remove(route, ended()));
      assert.equal((await onlyOne(subject)).id, route.id);
    },
  },
];

async function optionsOfMachine({ fixture }: RoutesSubject) {
  return optionsFor("w-1", { providerID: await fixture.createMachine("w-1") });
}
