import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import config from "../../../playwright.config.ts";
import { Skip } from "../../conformance/environment/scenario.ts";
import { createService, ingressOf, served } from "../../conformance/service/objects.ts";
import { startDatabase } from "../../harness/controller.ts";
import { isDashboardBuilt, startDashboard } from "../../harness/dashboard.ts";
import { demand, same } from "../../harness/wait.ts";
import type { Address } from "../../shots/addresses.ts";
import { createCamera } from "../../shots/camera.ts";
import type { Look } from "../../shots/options.ts";
import { untilBalancer } from "../balancers.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { LONG_MS } from "../patience.ts";
import { joined, leave } from "./nodes.ts";
import { untilRoutes } from "./routes.ts";
import { removed } from "./with-options.ts";

const NAME = "o-d-web";
const RANGE = "10.120.88.0/24";
const LOOK: Look = { colorScheme: "light", isPhone: false };

/** What an operator sees of the real services; the pictures are left in `shots/`. */
export const dashboardRows: readonly Row[] = [
  {
    ...row(
      "O-D-01",
      "the dashboard shows a Node with its server, a load balancer with its floating IP, and the router's routes",
      shown,
    ),
    isLong: true,
  },
];

async function shown(env: OpenStackEnvironment): Promise<string> {
  if (!isDashboardBuilt()) throw new Skip("the dashboard is not built: npm run build");
  const dir = join(env.dir, "dashboard");
  mkdirSync(dir, { recursive: true });
  const database = await startDatabase(dir);
  const databaseUrl = database.ready.url;
  try {
    await env.restart({ "--database-url": databaseUrl });
    const made = await madeThings(env);
    const dashboard = await startDashboard(databaseUrl, dir);
    try {
      const session = await dashboard.signIn("admin");
      await shoot({ origin: dashboard.origin, session }, made.addresses);
    } finally {
      await dashboard.stop();
    }
    await removed(env, NAME);
    await leave(env, made.node, made.server);
    return `${made.addresses.length} pages`;
  } finally {
    await env.restart();
    await database.stop();
  }
}

/** A Node with a route, and a Service with its load balancer; where each of them is shown, and by what. */
async function madeThings(env: OpenStackEnvironment) {
  const server = (await env.servers.named("o-d-node")) ?? (await env.servers.create("o-d-node"));
  const node = await joined(env, server, [RANGE]);
  await untilRoutes(env, (routes) =>
    same(routes.filter(({ destination }) => destination === RANGE).length, 1, "its routes"),
  );
  await createService(env, NAME);
  const address = ingressOf(await served(env, NAME, LONG_MS))[0]?.ip;
  demand(address !== undefined, "no address is published");
  await untilBalancer(env, NAME, () => undefined);
  const { metadata } = await env.kube.get("/api/v1/namespaces/kube-system");
  const cluster = `/c/${metadata.uid}`;
  const addresses: readonly Address[] = [
    { name: "openstack-nodes", path: `${cluster}/nodes`, shows: "o-d-node" },
    { name: "openstack-node", path: `${cluster}/nodes/o-d-node?tab=facts`, shows: "Cloud says" },
    { name: "openstack-load-balancers", path: `${cluster}/load-balancers`, shows: NAME },
    {
      name: "openstack-load-balancer",
      path: `${cluster}/load-balancers/default/${NAME}`,
      shows: address,
    },
    { name: "openstack-budget", path: `${cluster}/budget`, shows: "Floating IPs" },
    { name: "openstack-routes", path: `${cluster}/routes`, shows: RANGE },
  ];
  return { addresses, node, server };
}

/** Fails where a page does not show what it has to. */
async function shoot(
  { origin, session }: { readonly origin: string; readonly session: string },
  addresses: readonly Address[],
): Promise<void> {
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  try {
    const camera = createCamera(browser, {
      ...{ fixtures: [], looks: [LOOK], isWanted: () => true },
    });
    const page = await camera.open(LOOK, { baseURL: origin });
    // All of OpenStack runs on this machine as well.
    page.setDefaultTimeout(LONG_MS);
    const cookies = session.split("; ").map((each) => {
      const [name = "", ...value] = each.split("=");
      return { name, value: value.join("="), url: origin };
    });
    await page.context().addCookies(cookies);
    for (const address of addresses) {
      await camera.shoot(page, [address], LOOK);
      const isShown = await page.getByText(address.shows).first().isVisible();
      demand(isShown, `${address.path} does not show ${address.shows}`);
    }
  } finally {
    await browser.close();
  }
}
