import { KubeError } from "@cloudwright/core/kube/errors";
import { expect, it } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { retentionNow } from "./retention.ts";

const DAY_MS = 86_400_000;

function override(setting: string, value: string) {
  return { setting, value, by: "ana", why: "INC-88", at: 1, intentId: "i-1" };
}

/** A cluster whose control record contains these settings, or whose API server returns an error. */
function place(answer: readonly object[] | KubeError) {
  const get = async () => {
    if (answer instanceof KubeError) throw answer;
    return { data: { settings: JSON.stringify(answer) } };
  };
  return { client: { get: get as never }, namespace: "kube-system" };
}

function refusal(code: "Forbidden" | "NotFound" | "Unavailable") {
  return new KubeError(code, "no", { verb: "get", resource: "configmaps" });
}

const FLAGS = { runsMs: 30 * DAY_MS, bodiesMs: 7 * DAY_MS, intentsMs: 90 * DAY_MS };

it.each([
  ["the flags where no user has set anything", [], FLAGS],
  [
    "what a user has set, and of all else the flags",
    [override("ledger-retention-runs", "3d"), override("node-monitor-period", "9s")],
    { ...FLAGS, runsMs: 3 * DAY_MS },
  ],
  ["the flag where what was set is no value", [override("ledger-retention-runs", "3h")], FLAGS],
  ["the flags without a record", refusal("NotFound"), FLAGS],
  ["the flags without the right to read it", refusal("Forbidden"), FLAGS],
])("is %s", async (_case, answer, expected) => {
  expect(await retentionNow(place(answer), defaults())).toMatchObject(expected);
});

it("is unknown while the record cannot be read", async () => {
  await expect(retentionNow(place(refusal("Unavailable")), defaults())).rejects.toThrow("no");
});
