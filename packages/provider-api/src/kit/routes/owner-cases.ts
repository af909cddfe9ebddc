import { strict as assert } from "node:assert";
import { failureOf } from "../failure-of.ts";
import { mutations } from "../recorded-contexts.ts";
import type { ForeignRoute } from "./fixture.ts";
import {
  create,
  list,
  listed,
  OTHER_CLUSTER,
  optionsFor,
  ownerOf,
  type RouteCase,
  type RoutesSubject,
  remove,
  serve,
} from "./steps.ts";

/** More than two pages of the clouds that we know. */
const MORE_THAN_PAGES = 1_100;

/** Who owns a route: foreign ones are listed and never touched. */
export const routeOwnerCases: readonly RouteCase[] = [
  {
    name: "marks what it makes with cluster and Node",
    needs: ["storesOwner"],
    check: async (subject) => {
      const { route } = await serve(subject, "w-1");
      const { clusterUid, objectUid } = ownerOf("w-1");
      const [seen] = await subject.fixture.table();
      for (const mark of [route.owner, (await listed(subject, route.id)).owner, seen?.owner]) {
        assert.equal(mark?.clusterUid, clusterUid);
        assert.equal(mark?.objectUid, objectUid);
      }
    },
  },
  {
    name: "lists routes without an owner and another cluster's, and distinguishes them",
    needs: ["storesOwner", "createForeign"],
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      const mark = ownerOf("w-7", OTHER_CLUSTER);
      const unowned = await plant(subject, { destination: "10.120.8.0/24", providerID });
      const theirs = await plant(subject, {
        destination: "10.120.7.0/24",
        providerID,
        owner: mark,
      });
      assert.equal((await list(subject)).length, 3);
      assert.equal((await listed(subject, route.id)).owner?.clusterUid, ownerOf("w-1").clusterUid);
      assert.equal((await listed(subject, unowned)).owner, undefined);
      const { owner: reported } = await listed(subject, theirs);
      assert.equal(reported?.clusterUid, OTHER_CLUSTER);
      assert.equal(reported?.objectUid, mark.objectUid);
    },
  },
  {
    name: "calls a destination that another has a Conflict, and leaves that one alone",
    needs: ["createForeign"],
    check: async (subject) => {
      const foreign = await subject.fixture.createMachine("x-1");
      const providerID = await subject.fixture.createMachine("w-1");
      const destination = "10.120.1.0/24";
      await plant(subject, { destination, providerID: foreign });
      const before = await subject.fixture.table();
      const error = await failureOf(
        create(subject, optionsFor("w-1", { providerID, destination })),
      );
      assert.equal(error.code, "Conflict");
      assert.deepEqual(await subject.fixture.table(), before);
    },
  },
  {
    name: "does not take another Node's or cluster's route to its machine for its own",
    needs: ["storesOwner", "createForeign"],
    check: async (subject) => {
      const providerID = await subject.fixture.createMachine("w-1");
      const options = optionsFor("w-1", { providerID });
      for (const mark of [ownerOf("w-2"), ownerOf("w-1", OTHER_CLUSTER)]) {
        const id = await plant(subject, {
          destination: options.destination,
          providerID,
          owner: mark,
        });
        assert.equal((await failureOf(create(subject, options))).code, "Conflict");
        await remove(subject, await listed(subject, id));
      }
      await create(subject, options);
    },
  },
  {
    name: "keeps two clusters on one table apart",
    needs: ["storesOwner"],
    check: async (subject) => {
      const ours = await serve(subject, "w-1");
      const theirs = await serve(subject, "w-2", { clusterUid: OTHER_CLUSTER });
      const options = optionsFor("w-2", { providerID: theirs.providerID });
      assert.equal((await failureOf(create(subject, options))).code, "Conflict");
      await remove(subject, ours.route);
      assert.deepEqual(
        (await subject.fixture.table()).map(({ id, owner: mark }) => [id, mark?.clusterUid]),
        [[theirs.route.id, OTHER_CLUSTER]],
      );
    },
  },
  {
    name: "writes nothing when it lists",
    needs: ["createForeign"],
    check: async (subject) => {
      const { providerID } = await serve(subject, "w-1");
      await plant(subject, { destination: "10.120.9.0/24", providerID });
      await plant(subject, { destination: "10.120.10.0/24", providerID: undefined });
      const before = { seen: await subject.fixture.table(), writes: mutations(subject) };
      await list(subject);
      assert.deepEqual(await subject.fixture.table(), before.seen);
      assert.equal(mutations(subject), before.writes);
    },
  },
  {
    name: "lists a route that leads nowhere without a target, and can remove it",
    needs: ["createForeign"],
    check: async (subject) => {
      const id = await plant(subject, { destination: "10.120.9.0/24", providerID: undefined });
      const route = await listed(subject, id);
      assert.equal(route.target.providerID, undefined);
      assert.equal(route.target.nodeName, undefined);
      await remove(subject, route);
      assert.deepEqual(await subject.fixture.table(), []);
    },
  },
  {
    name: "knows its own route in whatever words the cloud keeps the destination",
    needs: ["storesOwner", "createForeign", "otherSpelling"],
    check: async (subject) => {
      const { asKept, canonical } = subject.fixture.otherSpelling ?? { asKept: "", canonical: "" };
      const providerID = await subject.fixture.createMachine("w-1");
      const id = await plant(subject, { destination: asKept, providerID, owner: ownerOf("w-1") });
      assert.equal((await listed(subject, id)).destination, asKept);
      const options = optionsFor("w-1", { providerID, destination: canonical });
      assert.equal((await create(subject, options)).id, id);
      await remove(subject, await listed(subject, id));
      assert.deepEqual(await subject.fixture.table(), []);
    },
  },
  {
    name: "reads every page of the tables",
    needs: ["fill"],
    check: async (subject) => {
      await subject.fixture.fill?.(MORE_THAN_PAGES);
      const { route } = await serve(subject, "w-1");
      const { routes, tables } = await subject.fixture.routes.list(subject.context());
      assert.equal(routes.length, MORE_THAN_PAGES + 1);
      assert.equal(new Set(routes.map(({ id }) => id)).size, routes.length);
      assert.ok(routes.some(({ id }) => id === route.id));
      const used = tables.reduce((sum, table) => sum + table.used, 0);
      assert.equal(used, routes.length);
    },
  },
];

async function plant({ fixture }: RoutesSubject, route: ForeignRoute): Promise<string> {
  return (await fixture.createForeign?.(route)) ?? "";
}
