import { describe, expect, it } from "vitest";
import type { Action } from "../../model/actions/action.ts";
import type { Intent } from "../../model/actions/intent.ts";
import type { Preview } from "../loop-port.ts";
import { intent, intentsFixture, NOTHING, UNTIL } from "../testing/intents-fixture.ts";
import { change, SETTLED } from "../testing/loop-fixture.ts";
import type { ControlReport, ControlRequest, ControlTarget } from "./control-target.ts";

describe("an intent to pause", () => {
  const PAUSE: Action = { kind: "pause", until: UNTIL };
  const pausing = (more: Partial<Intent> = {}) =>
    intent({
      kind: "pause",
      action: PAUSE,
      object: { kind: "Controller", name: "cloud-node-controller" },
      planHash: "hash",
      ...more,
    });
  const PREVIEW: Preview = {
    plan: { changes: [change("x", "controller.pause")], notTaken: [], next: SETTLED },
    planHash: "current hash",
  };

  /** Returns a control record that gives this answer and keeps the requests. */
  function recordThat(answer: ControlReport | Error) {
    const requests: ControlRequest[] = [];
    const controls: ControlTarget = {
      preview: () => Promise.resolve(PREVIEW),
      carryOut: (request) => {
        requests.push(request);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    };
    return { controls, requests };
  }

  it.each<[string, ControlReport | Error, object]>([
    ["done", { kind: "done", result: "Paused." }, { state: "verified", result: "Paused." }],
    [
      "planned otherwise",
      { kind: "planChanged", preview: PREVIEW },
      { state: "rejected", preview: { planHash: "current hash" } },
    ],
    ["refused", { kind: "refused", reason: NOTHING }, { state: "rejected" }],
    [
      "impossible",
      new Error("out of cheese"),
      { state: "failed", result: expect.stringMatching("out of cheese") },
    ],
  ])("is %s by the control record, without a run", async (_what, answer, report) => {
    const { controls, requests } = recordThat(answer);
    const { all, source, reported } = intentsFixture({}, controls);
    source.offer(pausing());
    await reported(2);
    expect(source.reports[1]).toMatchObject(report);
    const { object } = pausing();
    const requested = { action: PAUSE, intentId: "i-1", by: "Ada", why: "the cloud is back" };
    expect(requests).toEqual([{ requested, object, planHash: "hash" }]);
    expect(all.observed).toEqual([]);
  });

  it("is previewed by the control record", async () => {
    const { source, reported } = intentsFixture(
      {},
      recordThat(new Error("a preview wrote")).controls,
    );
    source.offer(pausing({ kind: "preview" }));
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "verified",
      preview: { planHash: "current hash", changes: [{ kind: "controller.pause" }] },
    });
  });

  it("reports within five seconds that the control record does not answer", async () => {
    const hang = () => new Promise<never>(() => undefined);
    const { controls } = recordThat(new Error("a preview wrote"));
    const { source, reported } = intentsFixture({}, { ...controls, preview: hang });
    source.offer(pausing({ kind: "preview" }));
    await reported(2, 500);
    expect(source.reports[1]).toMatchObject({
      state: "failed",
      result: expect.stringMatching("4.5 s"),
    });
  });

  it("is rejected if there is no control record", async () => {
    const { source, reported } = intentsFixture();
    source.offer(pausing());
    await reported(2);
    expect(source.reports[1]).toMatchObject({ state: "rejected" });
  });
});
