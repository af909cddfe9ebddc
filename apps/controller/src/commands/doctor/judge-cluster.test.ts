import { expect, test } from "vitest";
import { judgeClock, judgeLease, judgeServerName, type NameLookup } from "./judge-cluster.ts";

const AT = Date.parse("2026-01-01T00:00:10Z");
const FOUND: NameLookup = { kind: "found", addresses: ["10.0.0.1"] };

test.each([
  ["within its second", { serverAt: AT, askedAt: AT + 300, answeredAt: AT + 400 }, ["ok", ""]],
  ["a slow answer", { serverAt: AT, askedAt: AT - 9_000, answeredAt: AT + 200 }, ["ok", ""]],
  [
    "5 s behind",
    { serverAt: AT, askedAt: AT - 5_100, answeredAt: AT - 5_000 },
    ["warning", "behind"],
  ],
  [
    "5 s ahead",
    { serverAt: AT, askedAt: AT + 6_000, answeredAt: AT + 6_100 },
    ["warning", "ahead of"],
  ],
  [
    "a minute ahead",
    { serverAt: AT, askedAt: AT + 61_000, answeredAt: AT + 61_100 },
    ["problem", "ahead of"],
  ],
] as const)("a clock that is %s", (_case, reading, [verdict, word]) => {
  const judged = judgeClock(reading);
  expect(judged.verdict).toBe(verdict);
  expect(judged.says).toContain(word);
});

test.each<[string, NameLookup, string]>([
  ["10.0.0.1", { kind: "failed", why: "unused" }, "ok"],
  ["fd00::1", { kind: "failed", why: "unused" }, "ok"],
  ["kubernetes.default.svc", FOUND, "warning"],
  ["api.cluster.local", FOUND, "warning"],
  ["api.example.test", FOUND, "ok"],
  ["api.example.test", { kind: "failed", why: "ENOTFOUND" }, "problem"],
])("the API server at %s with %j is judged %s", (host, lookup, verdict) => {
  expect(judgeServerName(host, lookup).verdict).toBe(verdict);
});

const PLACE = "kube-system/cloud-controller-manager";
const LEASE = { place: PLACE, holder: "cp-1_abc", renewedAt: AT, durationMs: 15_000 };

test.each([
  ["no Lease", { lease: undefined, nowMs: AT }, /Nobody holds/],
  ["a Lease given back", { lease: { ...LEASE, holder: "" }, nowMs: AT }, /Nobody holds/],
  ["a fresh Lease", { lease: LEASE, nowMs: AT + 2_000 }, /^cp-1_abc leads: .* 2 s ago/],
  [
    "an old Lease",
    { lease: LEASE, nowMs: AT + 60_000 },
    /^The last leader, cp-1_abc, .* 1 min ago/,
  ],
  [
    "a Lease without times",
    { lease: { ...LEASE, renewedAt: undefined }, nowMs: AT },
    /does not say when/,
  ],
])("%s says who leads", (_case, { lease, nowMs }, says) => {
  expect(judgeLease(lease, PLACE, nowMs).says).toMatch(says);
});
