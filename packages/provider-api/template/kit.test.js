import { test } from "node:test";
import { instancesCases } from "@cloudwright/provider-api/kit";
import { create } from "./index.js";
import { addMachine, startInventory } from "./inventory.js";

for (const one of instancesCases) {
  test(one.name, async (context) => {
    const inventory = await startInventory();
    context.after(() => inventory.close());
    const fixture = fixtureOn(inventory);
    const unmet = one.unmet(fixture);
    if (unmet.length > 0) return context.skip(`the fixture has no ${unmet.join(", ")}`);
    await one.run(fixture);
  });
}

/** Returns a fixture: a provider with its own cloud, and what a user or a fault can do to that cloud. */
function fixtureOn({ endpoint, machines, faults, play }) {
  const text = JSON.stringify({ endpoint, maxAnswerBytes: 1_000_000 });
  const { instances } = create({ text, path: undefined, userAgent: "test" });
  const idOf = (name) => [...machines.values()].find((machine) => machine.name === name).id;
  return {
    provider: "lab",
    instances,
    create: async (name) => `lab://${addMachine(machines, name)}`,
    remove: async (name) => void machines.delete(idOf(name)),
    stop: async (name) => void Object.assign(machines.get(idOf(name)), { running: false }),
    malformedProviderID: "lab://",
    faults: Object.fromEntries(faults.map((name) => [name, play(name)])),
  };
}
