import { describe, expect, test } from "vitest";
import { requestAddress } from "./request-address.ts";

const RUNS = "/c/c-1/runs?q=request%3Areq-0000&from=all";

function lookUp(find: () => readonly string[], clusters: "all" | readonly string[] = "all") {
  return requestAddress("c-1", "req-0000", {
    viewer: async () => ({ kind: "viewer", viewer: { clusters } }),
    find: async () => ({ runs: find().map((id) => ({ id })) }),
  });
}

describe("the id of a cloud call", () => {
  test("leads to the call in the one run that made it", async () => {
    const address = "/c/c-1/runs/r-1?span=req-0000";
    expect(await lookUp(() => ["r-1"])).toEqual({ kind: "found", address });
  });

  test("leads to the list of runs if several share it, or none is known any more", async () => {
    for (const runs of [[], ["r-1", "r-2"]]) {
      expect(await lookUp(() => runs)).toEqual({ kind: "found", address: RUNS });
    }
  });

  test("leads to the list, without a query, if the user may not see the cluster", async () => {
    const find = () => {
      throw new Error("asked");
    };
    expect(await lookUp(find, ["c-2"])).toEqual({ kind: "found", address: RUNS });
  });
});

test("that could not be looked up is answered in the API's format", async () => {
  const led = await lookUp(() => {
    throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
  });
  expect(led).toEqual({
    kind: "failed",
    error: {
      message: "The dashboard cannot reach its database.",
      data: { code: "SERVICE_UNAVAILABLE", requestId: expect.stringMatching(/^[0-9a-f]{8}$/) },
    },
  });
});
