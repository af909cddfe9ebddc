import { expect, it } from "vitest";
import { AT, englishSnapshot, frozenSnapshot } from "../../testing/incident-snapshot.ts";
import { type WordedSnapshot, wordedSnapshot } from "./worded-snapshot.ts";

const time = (at: number) => new Date(at).toISOString().slice(11, 16);
const NODE = { kind: "Node", name: "w-9" };
const QUOTA = { code: "Other", name: "QuotaReached", text: "no machine is left" } as const;
const HELD = { code: "HeldByAnnotation", by: "ana", untilMs: AT } as const;

function word(over: Parameters<typeof frozenSnapshot>[0]): WordedSnapshot {
  return wordedSnapshot(frozenSnapshot(over), time);
}

it.each<[string, Parameters<typeof frozenSnapshot>[0]]>([
  ["Node w-9 has been stuck for 1 min: No machine is left.", {}],
  ["Node w-9 is OK: No machine is left.", { state: "ok" }],
  [
    "Node w-9 has been stuck for 1 min: No machine is left. Next attempt in 30 s.",
    { nextAt: AT + 30_000 },
  ],
  ["No machine is left.", { about: { kind: "run", id: "r-1" } }],
  ["The run had not ended.", { about: { kind: "run", id: "r-1" }, reason: undefined }],
  ["No machine is left.", { about: { kind: "problem", id: "p" } }],
  [
    "No machine is left, and one more like it.",
    { about: { kind: "problem", id: "p" }, subject: { kind: "objects", of: "Node", count: 2 } },
  ],
  [
    "No machine is left, and 1,199 more like it.",
    { about: { kind: "problem", id: "p" }, subject: { kind: "objects", of: "Node", count: 1_200 } },
  ],
])("is frozen with the sentence %j", (sentence, over) => {
  expect(word(over).sentence).toBe(sentence);
});

it("words times in the reader's zone", () => {
  expect(word({ reason: HELD }).sentence).toContain("14:51");
});

it.each<[Parameters<typeof frozenSnapshot>[0], WordedSnapshot["facts"]]>([
  [{ facts: {} }, []],
  [
    { facts: { drift: "inStep", providerID: "x://w-9", reportedAt: AT, taints: [], zone: "a" } },
    [
      { label: "Drift", text: "In sync" },
      { label: "In the cloud", text: "x://w-9" },
      { label: "Last reported", at: AT },
      { label: "Taints", text: "none" },
      { label: "Zone", text: "a" },
    ],
  ],
  [
    { facts: { startedAt: AT, attempt: 2, cloudCalls: 3, kubeCalls: 0, instance: "ctl-1" } },
    [
      { label: "Started", at: AT },
      { label: "Attempt", text: "2" },
      { label: "Calls", text: "3 cloud calls, 0 Kubernetes calls" },
      { label: "By", text: "ctl-1" },
    ],
  ],
])("of %j contains what is known", (over, facts) => {
  expect(word(over).facts).toEqual(facts);
});

it("names the controllers of an object, and the objects of a problem", () => {
  const part = { name: "cloud-node-controller", state: "stuck", reason: QUOTA, since: AT } as const;
  const parts = [{ ...part, failures: 0 }];
  expect(word({ parts }).parts[0]).toMatchObject({
    ...{ name: "Node initialisation", why: "No machine is left." },
  });
  const ofProblem = { about: { kind: "problem", id: "p" }, parts: [{ ...parts[0], name: "w-9" }] };
  expect(word(ofProblem as Parameters<typeof frozenSnapshot>[0]).parts[0]?.name).toBe("w-9");
});

it("says what a plan was to do and why, and what it left out", () => {
  const { plan } = word({});
  expect(plan?.changes).toMatchObject([
    {
      sentence: "Hold node w-9, because no machine is left.",
      ...{ fate: "not applied", fields: [{ path: "providerID", after: "x://w-9" }] },
    },
  ]);
  expect(plan?.notTaken).toEqual(["delete: not done, because no machine is left."]);
});

it("leaves an earlier release's snapshot in English", () => {
  const english = englishSnapshot();
  const { parts, ...words } = wordedSnapshot(english, time);
  const { parts: frozen, ...kept } = english;
  expect(words).toEqual(kept);
  expect(parts.map(({ why }) => why)).toEqual(["No machine is left. Ask for more."]);
  expect(frozen).toHaveLength(1);
});

it("keeps its subject", () => {
  expect(word({ subject: { kind: "object", object: NODE } }).subject).toBe("Node w-9");
});
