import { Histogram as PromHistogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { Histogram } from "./histogram.ts";

const BUCKETS = [0.005, 0.5, 1, 60];
const OBSERVED = [
  [{ verb: "get", host: "a:1" }, 0.25],
  [{ verb: "get", host: "a:1" }, 0.5],
  [{ verb: "get", host: "b:1" }, 61],
  [{ verb: 'say "hello"\n', host: "" }, 0],
  [{ verb: "get", host: "a:1" }, 0.001],
] as const;

it("is shown at a scrape as prom-client's own", async () => {
  const options = { name: "seconds", help: "How long it took.", buckets: BUCKETS };
  const [own, theirs] = [new Registry(), new Registry()];
  const labelNames = ["verb", "host"] as const;
  const histogram = new Histogram({ ...options, labelNames, registers: [own] });
  const prom = new PromHistogram({ ...options, labelNames, registers: [theirs] });
  expect(await own.metrics()).toBe(await theirs.metrics());
  for (const [labels, value] of OBSERVED) {
    histogram.observe(labels, value);
    prom.observe(labels, value);
  }
  expect(await own.metrics()).toBe(await theirs.metrics());
});

it("is shown without labels before anything is observed", async () => {
  const options = { name: "delay", help: "How long it took.", buckets: BUCKETS };
  const [own, theirs] = [new Registry(), new Registry()];
  const histogram = new Histogram({ ...options, labelNames: [], registers: [own] });
  const prom = new PromHistogram({ ...options, registers: [theirs] });
  expect(await own.metrics()).toBe(await theirs.metrics());
  histogram.observe({}, 2);
  prom.observe(2);
  expect(await own.metrics()).toBe(await theirs.metrics());
});
