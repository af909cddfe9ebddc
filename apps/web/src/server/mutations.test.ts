import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { appRouter } from "./root.ts";

const LIST = fileURLToPath(new URL("../../../../e2e/browser/mutations.json", import.meta.url));

interface Procedure {
  readonly _def: { readonly type: string };
}

/** The browser tests try each one of that list without the right to it; they know nothing of this router. */
it("each change that the API offers is on the list that e2e/browser/authorisation.spec.ts tries out", () => {
  // Flat when it runs, whatever its type says.
  const procedures = appRouter._def.procedures as unknown as Record<string, Procedure>;
  const mutations = Object.entries(procedures).filter(([, { _def }]) => _def.type === "mutation");
  expect(mutations.map(([name]) => name).sort()).toEqual(JSON.parse(readFileSync(LIST, "utf8")));
});
