import type { KubeClient } from "@cloudwright/core/kube/client";
import { KubeError, type KubeErrorCode } from "@cloudwright/core/kube/errors";
import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { describe, expect, it } from "vitest";
import { createLog } from "../../logging/log.ts";
import { clusterUid, UNIDENTIFIED, untilIdentified } from "./cluster-identity.ts";

const CALL = { verb: "get", resource: "namespaces", name: "kube-system" };

/** Asks an API server that first answers with these errors; returns what was logged. */
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
  it("is requested until the API server responds", async () => {
    const { uid, lines } = await askedAfter("Unavailable", "Unavailable");
    expect(uid).toBe("u-1");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/WARN .*cannot be reached yet/);
  });

  it("does not report the API server as unreachable if it refuses our credentials", async () => {
    const { lines } = await askedAfter("Unauthorized");
    expect(lines[0]).toMatch(/ERROR .*check the token or certificate.*It is Unauthorized/);
  });

  it("is unknown if the API server refuses it, which is logged once", async () => {
    const { uid, lines } = await askedAfter("Unavailable", "Forbidden");
    expect(uid).toBe(UNIDENTIFIED);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(
      /ERROR .*nodes are still handled. Grant get on the namespace kube-system.*It is Forbidden/,
    );
  });

  it("is requested again while it is refused, and known once it is granted", async () => {
    const clock = createManualClock();
    const lines: string[] = [];
    const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
    const granted: string[] = [];
    const get: KubeClient["get"] = async <Found>() => {
      if (granted.length === 0) throw new KubeError("Forbidden", "It is Forbidden.", CALL);
      return { metadata: { uid: "u-1" } } as Found;
    };
    let isKnown = false;
    const { signal } = new AbortController();
    void untilIdentified({ log, clock }, { client: { get } }, signal).then(() => {
      isKnown = true;
    });
    await clock.advance(60_000);
    expect([isKnown, lines]).toEqual([false, []]);
    granted.push("get namespaces");
    await clock.advance(30_000);
    expect(isKnown).toBe(true);
    expect(lines).toHaveLength(1);
  });
});
