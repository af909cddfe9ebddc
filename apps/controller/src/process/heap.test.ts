import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";

const PROGRAM = `
import { getHeapSpaceStatistics } from "node:v8";
const { keepHeapSmall } = await import(process.env.HEAP_MODULE);
if (process.env.KEEP_SMALL === "yes") keepHeapSmall();
const kept = [];
for (let round = 0; round < 400; round += 1) {
  for (let index = 0; index < 4_000; index += 1) kept[index + (round % 10) * 4_000] = { round, index, text: [index] };
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
console.log(young.space_size / 1024 / 1024);
`;

/** Returns the size in MiB of the young space of a process that makes many objects that live for a while. */
async function youngMiB(keepSmall: boolean): Promise<number> {
  const source = readFileSync(new URL("./heap.ts", import.meta.url), "utf8");
  // A compiler loaded in that process would fill the space before the program starts.
  const { code } = await transform(source, { loader: "ts" });
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    HEAP_MODULE: `data:text/javascript,${encodeURIComponent(code)}`,
    KEEP_SMALL: keepSmall ? "yes" : "no",
  };
  const args = ["--input-type=module", "--eval", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return Number(stdout);
}

describe("a heap that is limited", () => {
  it("has less space for young objects than V8 would give it", async () => {
    const [left, kept] = await Promise.all([youngMiB(false), youngMiB(true)]);
    // 32 up to Node 22, 64 since then.
    expect(left).toBeGreaterThanOrEqual(32);
    expect(kept).toBe(8);
  });
});
