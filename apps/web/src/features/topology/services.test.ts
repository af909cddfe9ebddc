import { describe, expect, it } from "vitest";
import { topologyService } from "../../testing/topology-rows.ts";
import { listenerText, loadBalancerStatus, membersText, servicesSentence } from "./services.ts";

const NONE = { in: 0, soon: 0, leaving: 0, out: 0 };

describe("a Service in words", () => {
  it("names where a listener leads", () => {
    const [listener] = topologyService("shop/web").listeners;
    expect(listener === undefined ? "" : listenerText(listener)).toBe("443/TCP → 31443");
  });

  it("counts the nodes that are in, and the others if there are any", () => {
    expect(membersText({ members: NONE })).toBe("0 in");
    expect(membersText({ members: { in: 1_204, soon: 2, leaving: 0, out: 1 } })).toBe(
      "1,204 in, 2 soon, 1 out",
    );
  });

  it.each([
    [{}, "In sync"],
    [{ drift: "drifted" }, "Drifted"],
    [{ drift: "notChecked" }, "Not checked"],
    [{ members: { ...NONE, in: 3, soon: 1 } }, "Drifted"],
  ] as const)("with %j has a load balancer that is %s", (over, label) => {
    expect(loadBalancerStatus(topologyService("shop/web", over)).label).toBe(label);
  });

  it("says when its load balancer does not exist yet", () => {
    const { drift, members } = topologyService("shop/web");
    expect(loadBalancerStatus({ drift, members }).label).toBe("Waiting");
  });

  it.each([
    [{ services: [], total: 0 }, "No Service of type LoadBalancer has been seen."],
    [{ services: [topologyService("a/b")], total: 1 }, "1 Service. None is stuck."],
    [
      { services: [topologyService("a/b", { state: "stuck", members: NONE })], total: 60 },
      "60 Services. Stuck: at least 1. 1 has no node behind it. The worst 1 are shown; search for the others.",
    ],
    [
      {
        services: ["a/b", "a/c"].map((name) => topologyService(name, { state: "stuck" })),
        total: 9,
      },
      "9 Services. Stuck: at least 2. The worst 2 are shown; search for the others.",
    ],
  ])("%j are worded as %s", (found, sentence) => {
    expect(servicesSentence(found)).toBe(sentence);
  });
});
