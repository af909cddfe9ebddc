import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { MODULES } from "../modules.ts";

const CONTROLLERS = join(import.meta.dirname, "..");
const PARTS = ["observe", "plan", "conclude"] as const;

/**
 * What only the loop, the code that feeds its queue and `apply` may have: emitters, the queue, clocks and
 * randomness.
 */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an emitter of Events", /import[^;]*\bEventRecorder\b|import[^;]*[{ ]Events[ ,}]/],
  ["the port of effects", /import[^;]*\bEffects\b/],
  ["a recorder", /import[^;]*\bRecorder\b/],
  ["a queue", /from "[^"]*\/queue\//],
  ["a clock", /import[^;]*\b(Clock|systemClock)\b|Date\.now|performance\.|new Date\(\)/],
  ["chance", /import[^;]*\bRandom\b|Math\.random|random(UUID|Bytes)/],
  ["a timer", /\bset(Timeout|Interval|Immediate)\b|\/sleep\.ts"/],
];

function offencesIn(source: string): readonly string[] {
  return FORBIDDEN.filter(([, pattern]) => pattern.test(source)).map(([what]) => what);
}

/** Returns the folders of the modules in the list, as it imports them. */
function folders(): readonly string[] {
  const list = readFileSync(join(CONTROLLERS, "modules.ts"), "utf8");
  return [...list.matchAll(/from "\.\/([a-z-]+)\/module\.ts"/g)].map(([, folder = ""]) => folder);
}

/** Returns the files of a controller that hold a part of its reconciler: `observe.ts`, `plan-absent.ts`. */
function filesOf(folder: string, part: (typeof PARTS)[number]): readonly string[] {
  const files = readdirSync(join(CONTROLLERS, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => new RegExp(`(^|/)${part}[a-z-]*\\.ts$`).test(file))
    .map((file) => join(CONTROLLERS, folder, file));
}

/** Returns these files and, transitively, all files of ours whose values they import. */
function reachedFrom(files: readonly string[]): readonly string[] {
  const reached = new Set(files);
  for (const file of reached) {
    for (const path of importsOf(readFileSync(file, "utf8")))
      reached.add(resolve(dirname(file), path));
  }
  return [...reached];
}

/** Returns the modules from which a source imports more than types, as it writes them. */
function importsOf(source: string): readonly string[] {
  return [...source.matchAll(/(?:import|export)\s+(?!type\b)([^;"]*?)from "(\.[^"]+)"/g)]
    .filter(([, names = ""]) => !/^\{(\s*type \w+,?)+\s*\}\s*$/.test(names))
    .map(([, , path = ""]) => path);
}

it("each module in the list has its observe, plan and conclude in files of these names", () => {
  expect(folders()).toHaveLength(MODULES.length);
  const missing = folders().flatMap((folder) =>
    PARTS.filter((part) => filesOf(folder, part).length === 0).map((part) => `${folder}: ${part}`),
  );
  expect(missing).toEqual([]);
});

it("observe, plan and conclude of no module reach an emitter, a queue, a clock or randomness, nor does what they call", () => {
  const files = folders().flatMap((folder) => PARTS.flatMap((part) => filesOf(folder, part)));
  const reached = reachedFrom(files);
  expect(reached.length).toBeGreaterThan(files.length);
  const offences = reached.flatMap((file) =>
    offencesIn(readFileSync(file, "utf8")).map((what) => `${relative(CONTROLLERS, file)}: ${what}`),
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
  ['import { sleep } from "../../kube/sleep.ts";', "a timer"],
  ["const id = Math.random();", "chance"],
])("%s is detected", (source, what) => {
  expect(offencesIn(source)).toEqual([what]);
});

it.each([
  'import type { Effect } from "../../reconcile/effects.ts";',
  'import type { EventText } from "../../kube/events/event-object.ts";',
])("%s is data", (source) => {
  expect(offencesIn(source)).toEqual([]);
});

it.each<[string, readonly string[]]>([
  [
    'import { a } from "./a.ts";\nimport {\n  b,\n  type B,\n} from "../b.ts";',
    ["./a.ts", "../b.ts"],
  ],
  ['export { GIVEN } from "./given.ts";', ["./given.ts"]],
  ['import type { A } from "./a.ts";\nimport { type B, type C } from "./b.ts";', []],
  ['import { z } from "zod";', []],
])("%s brings in %j", (source, paths) => {
  expect(importsOf(source)).toEqual(paths);
});
