import type { KubeObject } from "../../harness/kube.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { expect, test } from "../fixtures/dashboard.ts";

/** A unique fleet size gives this spec its own product, whose controller is restarted. */
test.use({ fleet: 5 });

const LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager";
const ANEW = /^The controller lost its Lease and is started anew.*$/gm;

interface Lease extends KubeObject {
  readonly spec: { readonly holderIdentity: string };
}

test("npm start survives a lost Lease: another controller leads, and the pages stay", async ({
  page,
  product,
  cluster,
}) => {
  const holder = async () => (await product.kube.get<Lease>(LEASE)).spec.holderIdentity;
  const lost = await eventually(async () => {
    const identity = await holder();
    demand(identity !== "", "nobody leads yet");
    return identity;
  });
  await page.goto(cluster);
  await product.kube.patch(LEASE, "merge", { spec: { holderIdentity: "somebody-else" } });
  await eventually(async () => {
    const identity = await holder();
    demand(![lost, "somebody-else", ""].includes(identity), `${identity} holds the Lease`);
  });
  expect(product.process.output().match(ANEW)).toEqual([
    "The controller lost its Lease and is started anew.",
  ]);
  expect(product.process.child.exitCode).toBeNull();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});
