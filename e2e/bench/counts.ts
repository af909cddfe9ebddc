import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const frameSchema = z.object({
  functionName: z.string(),
  url: z.string(),
  lineNumber: z.number(),
  columnNumber: z.number(),
});
type Frame = z.infer<typeof frameSchema>;

const cpuSchema = z.object({
  nodes: z.array(
    z.object({ id: z.number(), callFrame: frameSchema, children: z.array(z.number()).default([]) }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
interface HeapNode {
  readonly callFrame: Frame;
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}
const heapNodeSchema: z.ZodType<HeapNode> = z.object({
  callFrame: frameSchema,
  selfSize: z.number(),
  children: z.array(z.lazy(() => heapNodeSchema)),
});
const hooksSchema = z.object({
  begun: z.record(z.string(), z.number()),
  continuations: z.number(),
  written: z.object({ lines: z.number(), bytes: z.number() }),
});

export const countsSchema = z.object({
  cpu: cpuSchema,
  heap: z.object({ head: heapNodeSchema }),
  hooks: hooksSchema,
});

/**
 * The work of a controller's main thread, measured in one wave each: a CPU profile (µs), sampled allocations (bytes), and started
 * operations.
 */
export type Counts = z.infer<typeof countsSchema>;

/** Returns the name under which a place's costs are added up. */
type NameOf = (frame: Frame) => string;

/** Not counted: waiting for work, the sampling itself, and our own requests for the counts. */
const NOT_COUNTED = new Set(["(idle)", "(program)"]);
const isCounted = ({ functionName, url }: Frame) =>
  !NOT_COUNTED.has(functionName) && url !== "node:inspector";

/** Attributes the cost of JavaScript's built-in functions to their callers; garbage collection belongs to no caller. */
function chargedTo(frame: Frame, caller: Frame | undefined): Frame {
  return caller === undefined || frame.url !== "" || frame.functionName.startsWith("(")
    ? frame
    : caller;
}

/** Returns the thread's milliseconds by place. */
export function cpuCosts({ nodes, samples, timeDeltas }: Counts["cpu"], nameOf: NameOf): Costs {
  const frames = new Map<number, Frame>();
  const callers = new Map(nodes.flatMap(({ id, children }) => children.map((one) => [one, id])));
  // A profile lists callers before their callees.
  for (const { id, callFrame } of nodes)
    frames.set(id, chargedTo(callFrame, frames.get(callers.get(id) ?? -1)));
  const costs = new Map<string, number>();
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    if (frame === undefined || !isCounted(frame)) return;
    add(costs, nameOf(frame), (timeDeltas[index] ?? 0) / 1_000);
  });
  return ordered(costs);
}

/** Returns allocated bytes by place. */
export function heapCosts({ head }: Counts["heap"], nameOf: NameOf): Costs {
  const costs = new Map<string, number>();
  const visit = ({ callFrame, selfSize, children }: HeapNode, caller: Frame | undefined) => {
    const frame = chargedTo(callFrame, caller);
    if (selfSize > 0 && isCounted(frame)) add(costs, nameOf(frame), selfSize);
    for (const child of children) visit(child, frame);
  };
  visit(head, undefined);
  return ordered(costs);
}

/** The most expensive first. */
export type Costs = readonly (readonly [place: string, cost: number])[];

function add(costs: Map<string, number>, name: string, cost: number): void {
  costs.set(name, (costs.get(name) ?? 0) + cost);
}

function ordered(costs: ReadonlyMap<string, number>): Costs {
  return [...costs].sort(([, a], [, b]) => b - a);
}

export function sum(costs: Costs): number {
  return costs.reduce((total, [, cost]) => total + cost, 0);
}

/** Returns the costs per node of a wave, by name, with their units. */
export function countsPerNode({ cpu, heap, hooks }: Counts, nodes: number) {
  const begun = (...types: readonly string[]) =>
    types.reduce((total, type) => total + (hooks.begun[type] ?? 0), 0);
  const costs: Readonly<Record<string, number>> = {
    "main thread, ms": sum(cpuCosts(cpu, placeOf)),
    "allocated, KiB": sum(heapCosts(heap, placeOf)) / 1_024,
    promises: begun("PROMISE"),
    "callbacks of promises": hooks.continuations,
    timers: begun("Timeout"),
    "immediates, ticks and microtasks": begun("Immediate", "TickObject", "Microtask"),
    "other asynchronous resources": Object.entries(hooks.begun)
      .filter(([type]) => !NAMED_TYPES.has(type))
      .reduce((total, [, count]) => total + count, 0),
    records: hooks.written.lines,
    "bytes of records": hooks.written.bytes,
  };
  return Object.entries(costs).map(([name, total]) => [name, total / nodes] as const);
}

const NAMED_TYPES = new Set(["PROMISE", "Timeout", "Immediate", "TickObject", "Microtask"]);

/** Returns function and source file, using the source map beside a bundle. */
export function placeOf(frame: Frame): string {
  const { file, name } = sourceOf(frame);
  return file === "" ? name : `${name} ${file.replace(/^.*node_modules\//, "")}`;
}

/** Returns the package, or our room, that a function belongs to. */
export function roomOf(frame: Frame): string {
  const { file, name } = sourceOf(frame);
  if (file === "") return name.startsWith("(") ? name : "JavaScript built in";
  const [, installed] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (installed !== undefined) return installed;
  if (file.startsWith("node:")) return file.split("/").slice(0, 2).join("/");
  const [, room, inside = ""] = /((?:packages|apps)\/[^/]+)\/src\/(.*)$/.exec(file) ?? [];
  return room === undefined ? file : join(room, dirname(inside).split("/").slice(0, 2).join("/"));
}

function sourceOf({ functionName, url, lineNumber, columnNumber }: Frame) {
  const name = functionName || "(anonymous)";
  const map = url.startsWith("file:") ? sourceMapOf(fileURLToPath(url)) : undefined;
  const entry = map?.findEntry(lineNumber, columnNumber);
  if (entry === undefined || !("originalSource" in entry)) return { name, file: url };
  const file = entry.originalSource.replace(/^(\.\.\/)+/, "");
  return { name, file: functionName === "" ? `${file}:${entry.originalLine + 1}` : file };
}

const sourceMaps = new Map<string, SourceMap | undefined>();

function sourceMapOf(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) {
    const path = `${file}.map`;
    const found = existsSync(path)
      ? new SourceMap(JSON.parse(readFileSync(path, "utf8")))
      : undefined;
    sourceMaps.set(file, found);
  }
  return sourceMaps.get(file);
}
