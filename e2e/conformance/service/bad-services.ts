import { hasEnded } from "../../harness/controller.ts";
import { SERVICES } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { createNamespace } from "../clusters/accounts.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { inLedger, reported, warnedOf } from "./evidence.ts";
import {
  annotate,
  createService,
  deleteService,
  editService,
  editSpec,
  FINALIZER,
  finalizersOf,
  HTTP,
  hasFinalizer,
  loadBalancerFor,
  loadBalancersFor,
  noLoadBalancer,
  preparedService,
  refusalOf,
  served,
  serviceGone,
  standingMember,
  untilReady,
  untilService,
} from "./objects.ts";

const RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** Rows B-13 to B-20, B-47 and B-48: Services that ask for the impossible, or are treated roughly. These numbers are ours. */
export const WRONG_SERVICES: readonly Scenario[] = [
  ...rows({
    "B-13 source ranges that are none are the API's to refuse, and odd ones are taken as what they say":
      async (env) => {
        await standingMember(env);
        const wrong = ["10.13.0.1", "*", "10.13.0.0/33", "10.13.0.0/16,,x", "fd00::/129"];
        for (const value of wrong) {
          const made = createService(env, "b-13-wrong", { annotations: { [RANGES]: value } });
          same(await refusalOf(made), 422, `the API's answer to "${value}"`);
        }
        const odd = { [RANGES]: " 10.13.0.0/16 ,10.14.0.0/16,10.13.0.0/16 " };
        await createService(env, "b-13", { annotations: odd });
        await served(env, "b-13");
        const { sourceRanges } = await loadBalancerFor(env, "b-13");
        same(sourceRanges, ["10.13.0.0/16", "10.14.0.0/16"], "the source ranges");
        await createService(env, "b-13-blank", { annotations: { [RANGES]: " " } });
        await served(env, "b-13-blank");
        const blank = (await loadBalancerFor(env, "b-13-blank")).sourceRanges;
        same(
          blank.filter((range) => range !== "0.0.0.0/0"),
          [],
          "ranges of a blank annotation",
        );
      },
    "B-14 a spec that the cloud can no longer fulfil leaves the load balancer as it is and still allows its removal":
      async (env) => {
        const annotation = "sandbox.cloudwright.io/proxy-protocol";
        await preparedService(env, "b-14");
        const before = await loadBalancerFor(env, "b-14");
        await annotate(env, "b-14", { [annotation]: "v3" });
        await warnedOf(env, "b-14", ["SyncLoadBalancerFailed", annotation, "v3"]);
        same(await loadBalancerFor(env, "b-14"), before, "the load balancer");
        await deleteService(env, "b-14");
        await serviceGone(env, "b-14");
        await noLoadBalancer(env, "b-14");
      },
    "B-15 ports at their limits are served, those beyond are the API's to refuse": async (env) => {
      const ports = [
        { name: "least", protocol: "TCP", port: 1 },
        { name: "most", protocol: "TCP", port: 65_535 },
      ];
      await preparedService(env, "b-15", { spec: { ports } });
      const { listeners } = await loadBalancerFor(env, "b-15");
      same(
        listeners.map(({ port }) => port).sort((left, right) => left - right),
        [1, 65_535],
        "the ports",
      );
      for (const port of [0, 65_536]) {
        const beyond = createService(env, "b-15-beyond", {
          spec: { ports: [{ ...HTTP, port }] },
        });
        same(await refusalOf(beyond), 422, `the API's answer to port ${port}`);
      }
    },
    "B-16 an annotation's value that the provider does not know is named with the annotation, in the Service's condition as well":
      async (env) => {
        await standingMember(env);
        const annotation = "sandbox.cloudwright.io/internal";
        await createService(env, "b-16", { annotations: { [annotation]: "perhaps" } });
        await warnedOf(env, "b-16", ["SyncLoadBalancerFailed", annotation]);
        const said = await untilReady(env, "b-16", "False");
        demand(said.includes(annotation), `its condition says: ${said}`);
        same((await loadBalancersFor(env, "b-16")).length, 0, "balancers");
        await annotate(env, "b-16", { [annotation]: "false" });
        await served(env, "b-16");
        await untilReady(env, "b-16", "True");
      },
    "B-17 a protocol that the cloud does not support is reported before the cloud is asked, and harms no neighbour":
      async (env) => {
        await standingMember(env);
        const ports = [HTTP, { name: "media", protocol: "SCTP", port: 5_000 }];
        await createService(env, "b-17", { spec: { ports } });
        await warnedOf(env, "b-17", ["SyncLoadBalancerFailed", "SCTP"]);
        await inLedger(env, "b-17", { code: "ServiceUnsupported" });
        same((await loadBalancersFor(env, "b-17")).length, 0, "balancers");
        await preparedService(env, "b-17-other");
        await editSpec(env, "b-17", { ports: [HTTP] });
        await served(env, "b-17");
      },
    "B-18 finalizers removed by hand, again and again, come back, and nothing is lost": async (
      env,
    ) => {
      await preparedService(env, "b-18");
      const { id } = await loadBalancerFor(env, "b-18");
      for (let round = 0; round < 3; round++) {
        await editService(env, "b-18", { metadata: { finalizers: ["x.example/y"] } });
        await untilService(env, "b-18", {
          check: (service) => {
            hasFinalizer(service);
            const all = service.metadata.finalizers ?? [];
            same(all.includes("x.example/y"), true, "that the other one's finalizer stays");
          },
        });
      }
      same((await loadBalancerFor(env, "b-18")).id, id, "the load balancer");
      await editService(env, "b-18", { metadata: { finalizers: [FINALIZER] } });
      await deleteService(env, "b-18");
      await serviceGone(env, "b-18");
      await noLoadBalancer(env, "b-18");
    },
  }),
  {
    id: "B-19",
    title: "a namespace that is being deleted gets its Services cleaned up",
    run: (env) => namespaceDeleted(env, "b-19"),
  },
  ...rows({
    "B-47 a finalizer of ours that somebody sets where no load balancer is goes again, and no other":
      async (env) => {
        await createService(env, "b-47", { spec: { type: "ClusterIP" } });
        const finalizers = ["x.example/y", FINALIZER];
        await editService(env, "b-47", { metadata: { finalizers } });
        await untilService(env, "b-47", {
          withinMs: 10_000,
          check: (service) => same(finalizersOf(service), ["x.example/y"], "the finalizers"),
        });
        await editService(env, "b-47", { metadata: { finalizers: null } });
      },
    "B-48 of several mistakes each is reported when it is made, and what is corrected is served":
      async (env) => {
        await standingMember(env);
        const spec = { loadBalancerIP: "web.example" };
        await createService(env, "b-48", { spec });
        await warnedOf(env, "b-48", ["SyncLoadBalancerFailed", "loadBalancerIP", "web.example"]);
        await editSpec(env, "b-48", { loadBalancerIP: "2001:db8::48" });
        await warnedOf(env, "b-48", ["SyncLoadBalancerFailed", "2001:db8::48", "IPv6"]);
        await inLedger(env, "b-48", { code: "ServiceInvalid" });
        same((await loadBalancersFor(env, "b-48")).length, 0, "balancers");
        await editSpec(env, "b-48", { loadBalancerIP: null });
        await served(env, "b-48");
      },
    "B-20 script and newlines in annotations arrive as the text that they are": async (env) => {
      await standingMember(env);
      const script = '<script>alert("1")</script>\n# x';
      const annotation = "sandbox.cloudwright.io/internal";
      await createService(env, "b-20", { annotations: { [annotation]: script } });
      await warnedOf(env, "b-20", ["SyncLoadBalancerFailed", "<script>"]);
      await inLedger(env, "b-20", { code: "ServiceUnsupported" });
      await annotate(env, "b-20", { [annotation]: null, "example.com/free": script });
      await served(env, "b-20");
      await reported(env, "b-20", ["EnsuredLoadBalancer"]);
      const { tags } = await loadBalancerFor(env, "b-20");
      demand(!JSON.stringify(tags).includes("script"), "it is in the load balancer's tags");
    },
  }),
];

/** Does the work of the namespace controller, which does not run here: first deletes every object, then finalizers' owners remove them. */
async function namespaceDeleted(env: SharedEnvironment, namespace: string): Promise<void> {
  await createNamespace(env.kube, namespace);
  await standingMember(env);
  const path = SERVICES.replace("default", namespace);
  await env.kube.create(path, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { type: "LoadBalancer", ports: [HTTP] },
  });
  const loadBalancers = async () =>
    (
      await env.cloud.admin<{ items: { tags: Record<string, string> }[] }>(
        "GET",
        "/admin/load-balancers",
      )
    ).items.filter(({ tags }) => tags["cloudwright.io/service"] === `${namespace}/web`).length;
  await eventually(async () => same(await loadBalancers(), 1, "balancers"));
  await env.kube.delete(`/api/v1/namespaces/${namespace}`);
  await env.kube.delete(`${path}/web`).catch(() => undefined);
  await eventually(async () => same(await loadBalancers(), 0, "balancers left"));
  await eventually(async () => {
    const left = await env.kube.get(`${path}/web`).then(
      () => 1,
      () => 0,
    );
    same(left, 0, "Services left");
  });
  await always(() => demand(!hasEnded(env.controller), "the controller ended"), {
    forMs: 1_000,
  });
}
