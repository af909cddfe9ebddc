import type { KubeClient } from "@cloudwright/core/kube/client";
import { KubeError, type KubeErrorCode } from "@cloudwright/core/kube/errors";
import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { describe, expect, it } from "vitest";
import { createLog } from "../logging/log.ts";
import { clusterUid } from "./connect-cluster.ts";

const CALL = { verb: "get", resource: "namespaces", name: "kube-system" };

/** Asks of an API server that first answers with these errors, and answers what was logged on the way. */
async function askedAfter(...codes: readonly KubeErrorCode[]) {
  const clock = createManualClock();
  const lines: string[] = [];
  const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
  const errors = codes.map((code) => new KubeError(code, `It is ${code}.`, CALL));
  const get: KubeClient["get"] = async <Found>() => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return { metadata: { uid: "u-1" } } as Found;
  };
  const asking = clusterUid({ log, clock }, { client: { get } }, new AbortController().signal);
  for (const _ of codes) await clock.advance(2_000);
  return { uid: await asking, lines };
}

describe("the cluster's UID", () => {
  it("is asked for until it is told", async () => {
    const { uid, lines } = await askedAfter("Unavailable", "Unavailable");
    expect(uid).toBe("u-1");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/WARN .*cannot be reached yet/);
  });

  it("is not called unreachable when the API server refuses our credentials", async () => {
    const { lines } = await askedAfter("Unauthorized");
    expect(lines[0]).toMatch(/ERROR .*look at the token or certificate.*It is Unauthorized/);
  });

  it("is not called unreachable when only the permission is missing", async () => {
    const { uid, lines } = await askedAfter("Forbidden");
    expect(uid).toBe("u-1");
    expect(lines[0]).toMatch(/ERROR .*grant get of the namespace kube-system.*It is Forbidden/);
  });
});
