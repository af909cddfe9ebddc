import { expect, it } from "vitest";
import { labelPair, labelText, sizeText, volumesSentence } from "./volume-messages.ts";

const STATES = { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 };

it.each([
  [{ gone: 1 }, 0, "No volume has been observed in this cluster yet."],
  [{ ok: 1 }, 0, "The one volume is in sync."],
  [{ ok: 1_200 }, 0, "All 1,200 volumes are in sync."],
  [{ ok: 3, working: 1 }, 1, "No volume needs you. 3 of 4 are OK. 1 differs."],
  [{ ok: 3, stuck: 1 }, 1, "1 volume needs you."],
])("of %j with %i drifted", (states, drifted, sentence) => {
  expect(volumesSentence({ states: { ...STATES, ...states }, drifted })).toBe(sentence);
});

it.each([
  [{ wanted: { zone: "a" }, has: { zone: "a" } }, false, "a"],
  [{ wanted: { zone: "a" }, has: {} }, true, "none a"],
  [{ wanted: { zone: "a" }, has: { zone: "b" } }, true, "b a"],
  [{ wanted: {}, has: { zone: "b" } }, false, "b"],
  [{ wanted: {}, has: {} }, false, undefined],
])("of %j differing: %s, is shown %s", (labels, differs, shown) => {
  expect(labelPair(labels, "zone").differs).toBe(differs);
  expect(labelText(labels, "zone")).toBe(shown);
});

it.each([
  [{ volume: 10 }, "10 GiB"],
  [{ volume: 10, cloud: 10, claimed: 10 }, "10 GiB"],
  [{ volume: 10, cloud: 20, claimed: 30 }, "10 GiB, 20 GiB in the cloud, 30 GiB requested"],
])("the size %j reads %s", (sizeGiB, text) => {
  expect(sizeText({ sizeGiB })).toBe(text);
});
