import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Node } from "../../harness/kube.ts";
import { startKubelets } from "../../harness/kubelets.ts";
import type { Product } from "../../harness/product.ts";
import { expect, test } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

const FLEET = 500;
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
// The nodes start only after the pages have opened, because starting the product and a browser can take as long as the whole wave.
test.use({ fleet: 0 });
test.setTimeout(300_000);

/** The texts by which a page says that nothing is left to do. */
const WELL = /\bAll [\d,]+ (?:nodes|routes)\b|are in sync with the cloud|Nothing needs you/;
const HEADLINE = /([\d,]+) of ([\d,]+) nodes? ha(?:s|ve) reported(?:; ([\d,]+) (?:is|are) not)?/;

interface Sample {
  /** Nodes that had the taint both before and after the pages were read, and so while they were read. */
  readonly tainted: readonly string[];
  /** Number of nodes that were initialised after the pages were read. */
  readonly initialised: number;
  readonly overview: string;
  readonly list: string;
}

test("while 500 nodes start at once, no page takes the nodes that have reported for all nodes, and its counts agree", async ({
  page: overview,
  context,
  product,
  cluster,
}, info) => {
  // A slow cloud makes the wave last long enough to be seen on any machine.
  await product.cloud.setFaults({ latencyMs: 300 });
  const list = await context.newPage();
  await Promise.all([overview.goto(cluster), list.goto(`${cluster}/nodes`)]);
  const nodes = startKubelets(product.endpoints, FLEET);
  const samples: Sample[] = [];
  let isPictured = false;
  await expect
    .poll(
      async () => {
        const sample = await sampleOf(product, { overview, list });
        samples.push(sample);
        if (!isPictured && HEADLINE.test(sample.overview)) {
          isPictured = true;
          await snapshot(overview, info, "wave-overview");
          await snapshot(list, info, "wave-nodes");
        }
        return isWell(sample);
      },
      { timeout: 240_000, intervals: [300] },
    )
    .toBe(true);
  writeFileSync(info.outputPath("samples.json"), JSON.stringify(samples, null, 2));
  expect(
    samples.filter(({ tainted }) => tainted.length > 0).length,
    "samples within the wave",
  ).not.toBe(0);
  for (const [place, sample] of samples.entries()) judge(sample, samples[place - 1]);
  await product.cloud.setFaults({});
  await snapshot(overview, info, "wave-over-overview");
  await snapshot(list, info, "wave-over-nodes");
  await nodes.stop();
});

async function sampleOf(
  product: Product,
  pages: { readonly overview: Page; readonly list: Page },
): Promise<Sample> {
  const before = await nodesOf(product);
  const read = (page: Page) => page.getByRole("main").innerText();
  const [overview, list] = await Promise.all([read(pages.overview), read(pages.list)]);
  const after = await nodesOf(product);
  return {
    tainted: [...after.tainted].filter((name) => before.tainted.has(name)),
    initialised: after.count - after.tainted.size,
    overview,
    list,
  };
}

async function nodesOf({ kube }: Product) {
  const { items } = await kube.list<Node>("/api/v1/nodes");
  const tainted = items.filter(({ spec }) => spec.taints?.some(({ key }) => key === UNINITIALIZED));
  return { count: items.length, tainted: new Set(tainted.map(({ metadata }) => metadata.name)) };
}

function isWell({ overview, list }: Sample): boolean {
  return (
    overview.includes(`All ${FLEET} nodes and ${FLEET} routes are in sync`) &&
    list.includes(`All ${FLEET} nodes are in sync`)
  );
}

/** Checks a sample. Only nodes that had the taint in the previous sample count: a newly registered one may be on no page yet. */
function judge(sample: Sample, earlier: Sample | undefined): void {
  const { initialised, overview, list } = sample;
  const where = JSON.stringify(sample);
  const tainted = sample.tainted.filter((name) => earlier?.tainted.includes(name));
  if (tainted.length > 0) {
    expect(overview, `${tainted.length} have the taint`).not.toMatch(WELL);
    expect(list, `${tainted.length} have the taint`).not.toMatch(WELL);
  }
  for (const text of [overview, list]) {
    expect(numberIn(text, /\bOK\s+([\d,]+)/), where).toBeLessThanOrEqual(initialised);
  }
  const panel = panelsOf(overview);
  if (panel === undefined) return;
  expect(panel.inSync + panel.notInSync, `routes: ${where}`).toBe(panel.routes);
  expect(panel.routes, `more routes than nodes: ${where}`).toBeLessThanOrEqual(panel.nodes);
  const [, reported = "0", present, uninitialised = "0"] = HEADLINE.exec(overview) ?? [];
  if (present === undefined) return;
  expect(count(present), `nodes: ${where}`).toBe(panel.nodes);
  expect(panel.ok, `more are OK than have reported: ${where}`).toBeLessThanOrEqual(count(reported));
  expect(panel.ok + count(uninitialised), where).toBeLessThanOrEqual(panel.nodes);
}

/** Returns the figures of the Overview's panels, or undefined before there are any. */
function panelsOf(text: string) {
  const nodes = /\nNodes\s+([\d,]+)\s[\s\S]*?\bOK\s+([\d,]+)/.exec(text);
  const routes = /\nRoutes\s+([\d,]+)\s+In sync\s+([\d,]+)\s+Not in sync\s+([\d,]+)/.exec(text);
  if (nodes === null || routes === null) return undefined;
  const [, wanted, inSync, notInSync] = routes;
  return {
    ...{ nodes: count(nodes[1]), ok: count(nodes[2]) },
    ...{ routes: count(wanted), inSync: count(inSync), notInSync: count(notInSync) },
  };
}

function numberIn(text: string, pattern: RegExp): number {
  return count(pattern.exec(text)?.[1]);
}

function count(figure = "0"): number {
  return Number(figure.replaceAll(",", ""));
}
