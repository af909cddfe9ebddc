import { CLUSTER_NAME_TAG, firewallRulesOf } from "../../harness/balancers.ts";
import type { Service } from "../../harness/service.ts";
import { SERVICES } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { Scenario, World } from "../environment/scenario.ts";
import { inLedger, notTold, serviceEvents, told, warnedOf } from "./evidence.ts";
import {
  about,
  balancerFor,
  changesOf,
  createService,
  editSpec,
  finalizersOf,
  hasFinalizer,
  ingressOf,
  isCreation,
  key,
  preparedService,
  refusalOf,
  seenService,
  served,
  standingMember,
  untilService,
} from "./objects.ts";

/** What the group's controllers are started with as `--cluster-name`. */
export const CLUSTER_NAME = "conformance";

/** Rows about how a Service comes to its balancer, and which ones get none. */
export const SERVICE_CREATION: readonly Scenario[] = [
  {
    id: "S-01",
    title: "a Service gets the finalizer, then a balancer, then its address, and Events",
    async run(world) {
      await standingMember(world);
      let before: Service | undefined;
      world.relay.rule({
        fits: about("s-01", isCreation),
        strike: async () => {
          before = await world.kube.get<Service>(`${SERVICES}/s-01`);
          return undefined;
        },
      });
      await createService(world, "s-01");
      const service = await served(world, "s-01");
      demand(before !== undefined, "no balancer was asked for");
      hasFinalizer(before);
      const { address, tags } = await balancerFor(world, "s-01");
      same(ingressOf(service), [{ ip: address, ipMode: "VIP" }], "where it is reached");
      same(tags[CLUSTER_NAME_TAG], CLUSTER_NAME, "the cluster's name");
      for (const reason of ["EnsuringLoadBalancer", "EnsuredLoadBalancer"])
        same((await told(world, "s-01", [reason])).type, "Normal", `the type of ${reason}`);
    },
  },
  {
    id: "S-02",
    title: "Services of other types are none of its business",
    async run(world) {
      await createService(world, "s-02-a", { spec: { type: "ClusterIP" } });
      await createService(world, "s-02-b", { spec: { type: "NodePort" } });
      await leftAlone(world, ["s-02-a", "s-02-b"]);
    },
  },
  {
    id: "S-03",
    title: "a Service of another class is left alone",
    async run(world) {
      await createService(world, "s-03", { spec: { loadBalancerClass: "x/y" } });
      await leftAlone(world, ["s-03"]);
      same(ingressOf(seenService(world, "s-03")), [], "where it is reached");
    },
  },
  {
    id: "S-06",
    title: "a Service that becomes a LoadBalancer is served like a new one",
    async run(world) {
      await standingMember(world);
      await createService(world, "s-06", { spec: { type: "ClusterIP" } });
      await editSpec(world, "s-06", { type: "LoadBalancer" });
      const service = await served(world, "s-06");
      const { address } = await balancerFor(world, "s-06");
      same(ingressOf(service)[0]?.ip, address, "where it is reached");
      for (const reason of ["EnsuringLoadBalancer", "EnsuredLoadBalancer"])
        await told(world, "s-06", [reason]);
    },
  },
  {
    id: "S-07",
    title: "a UDP port is asked for as UDP (SCTP, which this cloud has not: with the scripted one)",
    async run(world) {
      const spec = { ports: [{ name: "dns", protocol: "UDP", port: 53 }] };
      await preparedService(world, "s-07", { spec });
      const { listeners } = await balancerFor(world, "s-07");
      same(
        listeners.map(({ protocol, port }) => [protocol, port]),
        [["UDP", 53]],
        "the listeners",
      );
    },
  },
  {
    id: "S-14",
    title: "what another controller implements keeps its status and is not told of",
    async run(world) {
      await standingMember(world);
      const annotations = { "sandbox.cloudwright.io/implemented-elsewhere": "true" };
      await createService(world, "s-14", { annotations });
      await untilService(world, "s-14", { check: hasFinalizer });
      await always(
        async () => {
          notTold(world, "s-14", "EnsuredLoadBalancer", "SyncLoadBalancerFailed");
          same(ingressOf(seenService(world, "s-14")), [], "where it is reached");
          same(changesOf(world, "s-14").length, 0, "changes in the cloud");
        },
        { forMs: 10_000 },
      );
    },
  },
  {
    id: "S-61",
    title: "with externalTrafficPolicy Local the health check asks the Service's own port",
    async run(world) {
      const service = await preparedService(world, "s-61", {
        spec: { externalTrafficPolicy: "Local" },
      });
      const port = service.spec.healthCheckNodePort;
      demand(port !== undefined && port > 0, "the API server gave no health check port");
      const { healthCheck, members } = await balancerFor(world, "s-61");
      same([healthCheck.path, healthCheck.port], ["/healthz", port], "the health check");
      demand(members.length >= 1, "it has no members");
    },
  },
  {
    id: "S-62",
    title:
      "source ranges come from the field, else the annotation, else are everybody; wrong ones the API refuses",
    async run(world) {
      await standingMember(world);
      const byAnnotation = (value: string) => ({
        annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": value },
      });
      await createService(world, "s-62-ann", byAnnotation("10.1.0.0/16, 10.2.0.0/16"));
      await createService(world, "s-62-field", {
        spec: { loadBalancerSourceRanges: ["10.3.0.0/16"] },
      });
      await createService(world, "s-62-none");
      const wrong = createService(world, "s-62-bad", byAnnotation("10.4.0.1"));
      same(await refusalOf(wrong), 422, "the API's answer to a wrong one");
      for (const name of ["s-62-ann", "s-62-field", "s-62-none"]) await served(world, name);
      const ranges = async (name: string) => (await balancerFor(world, name)).sourceRanges;
      same(await ranges("s-62-ann"), ["10.1.0.0/16", "10.2.0.0/16"], "those of the annotation");
      same(await ranges("s-62-field"), ["10.3.0.0/16"], "those of the field");
      const everybody = (await ranges("s-62-none")).filter((range) => range !== "0.0.0.0/0");
      same(everybody, [], "ranges of a Service without any");
      same((await firewallRulesOf(world.cloud, key("s-62-none"))).length, 0, "its firewall rules");
    },
  },
  {
    id: "S-76",
    title: "an answer to the creation that got lost leaves one balancer, not two",
    async run(world) {
      await standingMember(world);
      world.relay.rule({ fits: about("s-76", isCreation), times: 1, strike: () => "lose" });
      await createService(world, "s-76");
      const service = await served(world, "s-76", 60_000);
      const { address } = await balancerFor(world, "s-76");
      same(ingressOf(service)[0]?.ip, address, "where it is reached");
    },
  },
  {
    id: "S-82",
    title: "a creation that is forbidden is told as a lack of permission, and nobody else suffers",
    async run(world) {
      await standingMember(world);
      world.relay.rule({
        fits: about("s-82", isCreation),
        strike: () => ({ status: 403, code: "forbidden" }),
      });
      await createService(world, "s-82");
      await warnedOf(world, "s-82", ["SyncLoadBalancerFailed"]);
      await inLedger(world, "s-82", { code: "ProviderUnauthorized" });
      await createService(world, "s-82-other");
      await served(world, "s-82-other", 10_000);
      const tries = () => changesOf(world, "s-82").filter(isCreation);
      await eventually(() => demand(tries().length >= 3, "it was not tried three times"), {
        withinMs: 60_000,
      });
      const [first, second, third] = tries().map(({ at }) => at);
      const [gap, next] = [(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)];
      demand(next > gap, `the pauses between its tries are ${gap} and ${next} ms`);
    },
  },
];

async function leftAlone(world: World, names: readonly string[]): Promise<void> {
  for (const name of names) await untilService(world, name, { check: () => undefined });
  await always(
    () => {
      for (const name of names) {
        same(finalizersOf(seenService(world, name)), [], `the finalizers of ${name}`);
        same(serviceEvents(world, name).length, 0, `Events about ${name}`);
        same(changesOf(world, name).length, 0, `changes in the cloud for ${name}`);
      }
    },
    { forMs: 10_000 },
  );
}
