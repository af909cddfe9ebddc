import type { Change, Next } from "@cloudwright/core/model/plan";
import { describe, expect, it } from "vitest";
import { objectAction } from "../action-choice.ts";
import { shownPlan } from "../testing/intents.ts";
import { groupsOf } from "./bulk-groups.ts";
import type { BulkRow } from "./bulk-rows.ts";

const WORDING = { actionOf: () => ({ kind: "release" }) as const, clock: String };
const ASKED = { code: "PersonAsked", by: "Ana", why: "INC-7", intentId: "i-1" } as const;
const NEXT: Next = { kind: "waiting", reason: ASKED, forMs: 0 };

function released(object: Change["target"], after: Change["after"] = { hold: null }): BulkRow {
  const kind = object.kind === "Service" ? "service.release" : "volume.release";
  const change: Change = {
    ...{ kind, system: "cluster", target: object },
    ...{ before: { hold: {} }, after, reason: ASKED },
  };
  const controller = "volume-label-controller";
  return {
    target: objectAction({ cluster: "c-1", controller, object }, "release"),
    preview: { kind: "answered", plan: shownPlan({ changes: [change], next: NEXT }) },
    requested: undefined,
    problem: undefined,
  };
}

const texts = (rows: readonly BulkRow[]) =>
  groupsOf(rows, WORDING).map(({ text, members }) => [text, members.map(({ name }) => name)]);

describe("objects of a bulk action", () => {
  it("with equal plans are one group, whatever their kind is called", () => {
    const volume = (name: string) => released({ kind: "PersistentVolume", name });
    expect(texts([volume("pv-1"), volume("pv-2")])).toEqual([
      [
        "1 change each: Release the volume. It is checked at once, and what is missing is written.",
        ["pv-1", "pv-2"],
      ],
    ]);
  });

  it("are separate from those for which the same change means more", () => {
    const service = (name: string) => ({ kind: "Service", namespace: "shop", name });
    const rows = [
      released(service("web")),
      released(service("old"), { hold: null, loadBalancer: null }),
    ];
    expect(texts(rows)).toEqual([
      [expect.stringMatching(/^1 change each: Release the Service\. It is checked/), ["shop/web"]],
      [expect.stringMatching(/Service\. Its load balancer is deleted at once/), ["shop/old"]],
    ]);
  });
});
