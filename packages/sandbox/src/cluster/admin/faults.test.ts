import { describe, expect, it } from "vitest";
import { Faults, faultsSchema } from "./faults.ts";

const NODE = "/api/v1/nodes/n1";

describe("faults", () => {
  it("hit by verb and path until their times are over", () => {
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

  it("take ** for any depth and a missing path for all", () => {
    const faults = new Faults();
    faults.replace([
      { path: "/api/v1/nodes/**", status: 503 },
      { verb: "list", latencyMs: 5 },
    ]);
    expect(faults.take("patch", `${NODE}/status`)?.status).toBe(503);
    expect(faults.take("list", "/api/v1/pods")?.latencyMs).toBe(5);
  });

  it("refuse a rule that does nothing and members that they do not know", () => {
    expect(faultsSchema.safeParse({ rules: [{ verb: "get" }] }).success).toBe(false);
    expect(faultsSchema.safeParse({ rules: [{ status: 500, pth: "/" }] }).success).toBe(false);
  });
});
