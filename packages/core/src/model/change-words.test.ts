import { expect, it } from "vitest";
import { changeSentence, notTakenSentence } from "./change-words.ts";

it("a change says what, to which object and why", () => {
  expect(
    changeSentence({
      kind: "node.initialise",
      system: "cluster",
      target: { kind: "Node", name: "w-1" },
      before: null,
      after: null,
      reason: { code: "Uninitialised" },
    }),
  ).toBe(
    "Write provider ID and labels and remove the uninitialized taint of node w-1, because it waits to be initialised.",
  );
});

it("what was not taken says why", () => {
  expect(
    notTakenSentence({
      step: "Write labels",
      reason: { code: "AddressesMissing", provider: "sandbox" },
    }),
  ).toBe("Write labels: not done, because sandbox lists no address for this instance.");
});
