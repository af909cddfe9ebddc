import { describe, expect, it } from "vitest";
import { LABEL_PAIRS, pairsOfPersons } from "./labels.ts";

const [BETA, SUCCESSOR] = LABEL_PAIRS.zone;
const WANTED = { [BETA]: "z1", [SUCCESSOR]: "z1" };

describe("a label pair is a person's own", () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      "when the beta label is gone and the successor has another value",
      { [SUCCESSOR]: "mine" },
      [BETA, SUCCESSOR],
    ],
    ["not when both are gone", {}, []],
    ["not when the successor still has our value", { [SUCCESSOR]: "z1" }, []],
    ["not when the beta label is there", { [BETA]: "z1", [SUCCESSOR]: "mine" }, []],
  ])("%s", (_, labels, persons) => {
    expect([...pairsOfPersons(labels, WANTED)]).toEqual(persons);
  });
});
