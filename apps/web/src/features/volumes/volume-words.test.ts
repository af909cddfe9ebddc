import { expect, it } from "vitest";
import { labelPair, sizeText, volumesSentence } from "./volume-words.ts";

const STATES = { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 };

it.each([
  [{ gone: 1 }, 0, "No volume has been looked at in this cluster yet."],
  [{ ok: 1 }, 0, "The one volume is in step."],
  [{ ok: 1_200 }, 0, "All 1,200 volumes are in step."],
  [{ ok: 3, working: 1 }, 1, "No volume needs you. 3 of 4 are OK. 1 differs."],
  [{ ok: 3, stuck: 1 }, 1, "1 volume needs you."],
])("of %j with %i drifted", (states, drifted, sentence) => {
  expect(volumesSentence({ states: { ...STATES, ...states }, drifted })).toBe(sentence);
});

it.each([
  [{ zone: "a" }, { zone: "a" }, false],
  [{ zone: "a" }, {}, true],
  [{ zone: "a" }, { zone: "b" }, true],
  [{}, { zone: "b" }, false],
])("of %j wanted and %j there, differing: %s", (wanted, has, differs) => {
  expect(labelPair({ wanted, has }, "zone").differs).toBe(differs);
});

it.each([
  [{ volume: 10 }, "10 GiB"],
  [{ volume: 10, cloud: 10, claimed: 10 }, "10 GiB"],
  [{ volume: 10, cloud: 20, claimed: 30 }, "10 GiB, 20 GiB in the cloud, 30 GiB asked for"],
])("the size %j reads %s", (sizeGiB, text) => {
  expect(sizeText({ sizeGiB })).toBe(text);
});
