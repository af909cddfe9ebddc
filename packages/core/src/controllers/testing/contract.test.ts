import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const CONTROLLERS = join(import.meta.dirname, "..");
const PURE = /^(observe|plan|conclude)[a-z-]*\.ts$/;

/** What only the loop, what feeds its queue and `apply` may have: emitters, the queue, clocks and chance. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an emitter of Events", /import[^;]*\bEventRecorder\b|import[^;]*[{ ]Events[ ,}]/],
  ["the port of effects", /import[^;]*\bEffects\b/],
  ["a recorder", /import[^;]*\bRecorder\b/],
  ["a queue", /from "[^"]*\/queue\//],
  ["a clock", /import[^;]*\b(Clock|systemClock)\b|Date\.now|performance\.|new Date\(\)/],
  ["chance", /import[^;]*\bRandom\b|Math\.random|random(UUID|Bytes)/],
  ["a timer", /\bset(Timeout|Interval|Immediate)\b|\/pause\.ts"/],
];

function offencesIn(source: string): readonly string[] {
  return FORBIDDEN.filter(([, pattern]) => pattern.test(source)).map(([what]) => what);
}

function pureFiles(): readonly string[] {
  const files = readdirSync(CONTROLLERS, { recursive: true, encoding: "utf8" });
  return files.filter((file) => PURE.test(file.split("/").at(-1) ?? ""));
}

it("observe, plan and conclude of no controller reach for an emitter, a queue, a clock or chance", () => {
  const files = pureFiles();
  const controllers = new Set(files.map((file) => file.split("/")[0]));
  for (const name of ["node", "node-lifecycle", "node-ipam", "volume", "service", "route"]) {
    expect(controllers).toContain(name);
  }
  const offences = files.flatMap((file) =>
    offencesIn(readFileSync(join(CONTROLLERS, file), "utf8")).map((what) => `${file}: ${what}`),
  );
  expect(offences).toEqual([]);
});

it.each([
  ['import type { Clock } from "../../model/time.ts";', "a clock"],
  ["const at = Date.now();", "a clock"],
  ['import type { Events } from "../objects/node-events.ts";', "an emitter of Events"],
  [
    'import type {\n  Concluded,\n  Effects,\n} from "../../reconcile/effects.ts";',
    "the port of effects",
  ],
  ['import { pause } from "../../reconcile/run/pause.ts";', "a timer"],
  ["const id = Math.random();", "chance"],
])("%s is noticed", (source, what) => {
  expect(offencesIn(source)).toEqual([what]);
});

it.each([
  'import type { Effect } from "../../reconcile/effects.ts";',
  'import type { EventText } from "../../kube/events/event-object.ts";',
])("%s is data", (source) => {
  expect(offencesIn(source)).toEqual([]);
});
