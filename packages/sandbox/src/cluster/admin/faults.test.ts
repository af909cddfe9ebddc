import { describe, expect, it } from "vitest";
import { Faults, faultsSchema } from "./faults.ts";

const NODE = "/api/v1/nodes/n1";

describe("faults", () => {
  it("apply by verb and path until their times are used up", () => {
    const faults = new Faults();
    faults.replace([{ verb: "patch", path: "/api/v1/nodes/*", status: 500, times: 2 }]);
    expect(faults.take("get", NODE)).toBeUndefined();
    expect(faults.take("patch", `${NODE}/status`)).toBeUndefined();
    expect(faults.take("patch", NODE)?.status).toBe(500);
    expect(faults.rules).toMatchObject([{ times: 1 }]);
    expect(faults.take("patch", NODE)?.status).toBe(500);
    expect(faults.take("patch", NODE)).toBeUndefined();
    expect(faults.rules).toEqual([]);
  });

  it("match any depth by ** and everything by a missing path", () => {
    const faults = new Faults();
    faults.replace([
      { path: "/api/v1/nodes/**", status: 503 },
      { verb: "list", latencyMs: 5 },
    ]);
    expect(faults.take("patch", `${NODE}/status`)?.status).toBe(503);
    expect(faults.take("list", "/api/v1/pods")?.latencyMs).toBe(5);
  });

  it("refuse a rule without effect and unknown members", () => {
    expect(faultsSchema.safeParse({ rules: [{ verb: "get" }] }).success).toBe(false);
    expect(faultsSchema.safeParse({ rules: [{ status: 500, pth: "/" }] }).success).toBe(false);
  });
});
