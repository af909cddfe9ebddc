import type { ControlsStatus } from "@cloudwright/core/model/controls";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { readControlsAtScrape } from "./control-metrics.ts";

const PAUSE = {
  controller: "cloud-node-controller",
  by: "ana",
  why: "INC-88",
  at: 1,
  until: 2,
  intentId: "i-1",
} as const;
const HELD = { name: "n1", uid: "u1", since: 1, because: "gone" };
const GUARD = { limit: 5, windowMs: 600_000, deleted: 4, held: [HELD] };

test.each<[string, ControlsStatus | undefined, readonly string[]]>([
  [
    "what is paused and held",
    { pauses: [PAUSE], guard: GUARD },
    ["held_nodes 1", "limit 5", "deleted 4", 'paused{name="cloud-node-controller"} 1'],
  ],
  [
    "that a user has turned the guard off",
    {
      pauses: [],
      settings: [
        { setting: "node-monitor-period", flag: "5s" },
        {
          ...{ setting: "node-deletion-guard", flag: "5,10%,10m" },
          override: { value: "off", by: "ana", why: "INC-88", at: 1, intentId: "i-2" },
        },
      ],
    },
    [
      'setting_overridden{setting="node-monitor-period"} 0',
      'setting_overridden{setting="node-deletion-guard"} 1',
      "held_nodes 0",
      "limit +Inf",
      "deleted 0",
      'paused{name="cloud-node-controller"} 0',
    ],
  ],
  ["nothing on a standby", undefined, ["held_nodes 0", "limit 0", "deleted 0"]],
])("reports %s", async (_case, status, lines) => {
  const registry = new Registry();
  readControlsAtScrape(registry, {
    status: () => status,
    controllers: () => ["cloud-node-controller", "cloud-node-lifecycle-controller"],
  });
  const text = await registry.metrics();
  for (const line of lines) expect(text).toContain(line);
  expect(text).toContain('cloudwright_controller_paused{name="cloud-node-lifecycle-controller"} 0');
});
