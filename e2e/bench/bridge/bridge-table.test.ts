import { expect, it } from "vitest";
import { bridgeTable, type MeasuredWay } from "./bridge-table.ts";

const UPSTREAM = way({ way: "upstream", seconds: 3, ownMiB: 80 });
const PLUGIN = way({ way: "plug-in", seconds: 4, ownMiB: 150 });

it.each([
  ["a process that is as fast and as small", {}, "met"],
  ["a tenth slower", { seconds: 4.4 }, "met"],
  ["more than a tenth slower", { seconds: 4.5 }, "**seconds 4.5 > 4.4**"],
  ["our process grew", { ownMiB: 170 }, "**MiB of ours 170 > 157.5**"],
  [
    "the Go process is larger than upstream",
    { providerMiB: 90 },
    "**MiB of the provider's 90 > 80**",
  ],
  [
    "the Go process was never seen",
    { providerMiB: undefined },
    "**MiB of the provider's NaN > 80**",
  ],
])("%s: %s", (_, given, expected) => {
  const process = way({ way: "process", seconds: 4, ownMiB: 150, providerMiB: 60, ...given });
  const table = bridgeTable("about", [UPSTREAM, PLUGIN, process]);
  expect(table.split("\n").at(-1)).toContain(`| ${expected} |`);
});

it("each size is compared with its own", () => {
  const table = bridgeTable("about", [
    ...[UPSTREAM, PLUGIN, way({ way: "process", seconds: 4, ownMiB: 150, providerMiB: 60 })],
    ...[UPSTREAM, { ...PLUGIN, seconds: 40 }].map((each) => ({ ...each, nodes: 2_000 })),
    way({ way: "process", nodes: 2_000, seconds: 44, ownMiB: 150, providerMiB: 60 }),
  ]);
  const last = table.split("\n").at(-1);
  expect(last).toContain("| 2,000 | Cloudwright, Go provider process | 44 | 1.10 |");
  expect(last).toContain("| met |");
});

function way(given: Partial<MeasuredWay> & Pick<MeasuredWay, "way">): MeasuredWay {
  const none = { range: undefined, providerMiB: undefined };
  const numbers = { seconds: 1, cpuSeconds: 2, cloudCalls: 3, loadPerCore: 0.5, ownMiB: 1 };
  return { nodes: 500, runs: 1, ...numbers, ...none, ...given };
}
