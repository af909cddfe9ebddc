import { expect, it } from "vitest";
import type { PlanPreview } from "../plan/planned-object.ts";
import { judgeTakeover } from "./judge-takeover.ts";

type Objects = PlanPreview["objects"];

function failed(name: string, ...[cause]: [cause?: string]): Objects[number] {
  const reason = { code: "Other", name: cause ?? "Broken", text: `${cause ?? "broken"} ${name}` };
  return {
    verdict: "failed",
    run: { object: { kind: "Node", name }, changes: [], reason },
  } as unknown as Objects[number];
}

function changed(name: string): Objects[number] {
  const reason = { code: "InSync" };
  const run = { object: { kind: "Node", name }, changes: [{ reason }], reason };
  return { verdict: "change", run } as unknown as Objects[number];
}

it("reports that nothing would be written only if everything could be planned", () => {
  const [nothing] = judgeTakeover({ objects: [], unseen: [] });
  expect(nothing?.says).toBe("The first pass would write nothing.");
  const verdicts = judgeTakeover({ objects: [failed("w-1")], unseen: [] });
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["problem"]);
});

it("counts what could be planned and what could not", () => {
  const found = judgeTakeover({ objects: [failed("w-1"), changed("w-2")], unseen: [] });
  expect(found.at(-1)?.says).toBe(
    "As far as it could be planned, the first pass would make 1 change to 1 object: cloudwright plan lists them.",
  );
});

it("reports a cause once, with the objects that have it, each listed once", () => {
  const names = ["w-1", "w-1", "w-2", "w-3", "w-4", "w-5"];
  const objects = [...names.map((name) => failed(name)), failed("w-1", "Other")];
  const problems = judgeTakeover({ objects, unseen: [] }).map(({ says }) => says);
  expect(problems).toEqual([
    "Node w-1, Node w-2, Node w-3 and 2 more could not be planned: Broken w-1.",
    "Node w-1 could not be planned: Other w-1.",
  ]);
});
