import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { expect, it } from "vitest";
import type { LogLine } from "./log-line.ts";
import { ProcessLog } from "./process-log.ts";

function logged() {
  const lines: LogLine[] = [];
  let endWindow = () => {};
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (_: number, callback: () => void) => {
      endWindow = callback;
      return () => {
        endWindow = () => {};
      };
    },
  };
  const log = new ProcessLog({
    name: "cloudwright-provider-x",
    clock,
    onLine: (line) => lines.push(line),
  });
  const stream = new PassThrough();
  log.follow(stream);
  const end = async () => {
    stream.end();
    await finished(stream);
  };
  return { lines, log, stream, end, passWindow: () => endWindow() };
}

it("splits input into lines, wherever the chunks end", async () => {
  const { lines, stream, end } = logged();
  const euro = Buffer.from("€");
  stream.write("fir");
  stream.write("st\r\n\nsec");
  stream.write(euro.subarray(0, 1));
  stream.write(euro.subarray(1));
  await end();
  expect(lines.map(({ message }) => message)).toEqual(["first", "sec€"]);
});

it("keeps the beginning of a line that is too long", async () => {
  const { lines, stream, end } = logged();
  for (let part = 0; part < 100; part += 1) stream.write("x".repeat(1_000));
  stream.write("\nshort\n");
  await end();
  expect(lines.map(({ message }) => message.length)).toEqual([4_097, 5]);
});

it("passes on a limited number of lines from a verbose process, and reports how many it left out", async () => {
  const { lines, stream, end, passWindow } = logged();
  stream.write("chatter\n".repeat(1_000));
  await end();
  expect(lines).toHaveLength(200);
  passWindow();
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toMatchObject({
    level: "warn",
    message: "cloudwright-provider-x wrote 800 more lines within 10 s, which were left out",
  });
});

it("passes lines on again in the next window, and reports nothing for one without omissions", () => {
  const { lines, stream, passWindow } = logged();
  stream.write("one\n");
  passWindow();
  stream.write("two\n");
  passWindow();
  expect(lines.map(({ message }) => message)).toEqual(["one", "two"]);
});

it("keeps the last line, or the one that says why the program crashed", () => {
  const { log, stream } = logged();
  expect(log.lastWords).toBe("");
  stream.write("reading the configuration\n");
  expect(log.lastWords).toBe("reading the configuration");
  stream.write("panic: no region\n\ngoroutine 1 [running]:\nmain.main()\n");
  expect(log.lastWords).toBe("panic: no region");
});
