import { strict as assert } from "node:assert";
import { askOne, byId, byName, foundIn, type InstancesCase } from "./steps.ts";

/** The facts reported about an existing instance. */
export const factsCases: readonly InstancesCase[] = [
  {
    name: "finds an instance by its name and by its provider ID, with the same facts",
    check: async (subject) => {
      const providerID = await subject.fixture.create("w-1");
      const named = foundIn(await askOne(subject, byName("w-1")), "w-1");
      const identified = foundIn(await askOne(subject, byId("w-1", providerID)), providerID);
      assert.equal(named.facts.providerID, providerID);
      assert.equal(named.facts.name, "w-1");
      assert.deepEqual({ ...identified.facts, asOf: 0 }, { ...named.facts, asOf: 0 });
    },
  },
  {
    name: "gives provider IDs of its own scheme that stay",
    check: async (subject) => {
      const { provider } = subject.fixture;
      await subject.fixture.create("w-1");
      const first = foundIn(await askOne(subject, byName("w-1")), "w-1").facts.providerID;
      const again = foundIn(await askOne(subject, byName("w-1"), "single"), "w-1").facts.providerID;
      assert.match(first ?? "", new RegExp(`^${provider}://.+`));
      assert.equal(again, first);
    },
  },
  {
    name: "lists each address once",
    check: async (subject) => {
      await subject.fixture.create("w-1");
      const { addresses } = foundIn(await askOne(subject, byName("w-1")), "w-1").facts;
      const pairs = addresses.map(({ type, address }) => `${type} ${address}`);
      assert.deepEqual(pairs, [...new Set(pairs)]);
    },
  },
  {
    name: "dates its facts by when it asked",
    check: async (subject) => {
      await subject.fixture.create("w-1");
      const before = Date.now();
      const { asOf } = foundIn(await askOne(subject, byName("w-1")), "w-1").facts;
      assert.ok(asOf >= before - 1 && asOf <= Date.now() + 1, `asOf is ${asOf}.`);
    },
  },
  {
    name: "finds a stopped instance and says that it is stopped",
    needs: ["stop"],
    check: async (subject) => {
      const providerID = await subject.fixture.create("w-1");
      await subject.fixture.stop?.("w-1");
      const lookup = await askOne(subject, byId("w-1", providerID), "single");
      assert.equal(foundIn(lookup, "w-1").facts.power, "stopped");
    },
  },
];
