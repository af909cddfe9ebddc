import type { LoginStanding } from "@cloudwright/store/sql/roles";
import { expect, test } from "vitest";
import { judgeLogin } from "./judge-login.ts";

const HERE = "6f3c2a10-0000-4000-8000-000000000001";
const OTHER = "6f3c2a10-0000-4000-8000-000000000002";
const GRANTED: LoginStanding = {
  login: "cloudwright_controller",
  kind: "controller",
  clusters: [OTHER, HERE],
  isFirst: false,
};

test.each<[string, Partial<LoginStanding>, RegExp]>([
  ["granted", {}, /^ok: .* cloudwright_controller may record for this cluster\.$/],
  ["of both roles", { kind: "both" }, /^ok: .* may record for this cluster\.$/],
  [
    "granted to other clusters only",
    { clusters: [OTHER] },
    /^problem: .* may not record for this cluster \(6f3c2a10-.*1\), so its records would stay in --spool-dir\. Run cloudwright database grant --cluster 6f3c2a10-.*1 /,
  ],
  ["granted to none, others are", { clusters: [] }, /^problem: .* may not record/],
  ["the first", { clusters: [], isFirst: true }, /^ok: .* this would be its first cluster\./],
  ["the owner's", { kind: "owner", clusters: [] }, /^ok: .* owns the ledger/],
  ["the dashboard's", { kind: "web" }, /^problem: .* is the dashboard's/],
  ["of no role", { kind: "none" }, /^problem: .* has no rights on the ledger/],
])("a login that is %s", (_, over, expected) => {
  expect(judged(over, HERE)).toMatch(expected);
});

test("a login is not judged for a cluster whose id is not known", () => {
  expect(judged({}, undefined)).toMatch(/^unknown: .* because the cluster's id could not be read/);
});

function judged(over: Partial<LoginStanding>, cluster: string | undefined): string {
  const { verdict, says, advice } = judgeLogin({ ...GRANTED, ...over }, cluster);
  return `${verdict}: ${says} ${advice ?? ""}`.trim();
}
