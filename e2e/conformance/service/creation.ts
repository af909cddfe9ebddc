import { CLUSTER_NAME_TAG, firewallRulesOf } from "../../harness/load-balancers.ts";
import type { Service } from "../../harness/service.ts";
import { SERVICES } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { inLedger, notReported, reported, serviceEvents, warnedOf } from "./evidence.ts";
import {
  about,
  changesOf,
  createService,
  editSpec,
  finalizersOf,
  hasFinalizer,
  ingressOf,
  isCreation,
  key,
  loadBalancerFor,
  preparedService,
  refusalOf,
  seenService,
  served,
  standingMember,
  untilService,
} from "./objects.ts";

/** The `--cluster-name` of the group's controllers. */
export const CLUSTER_NAME = "conformance";

/** Rows about how a Service gets its load balancer, and which Services get none. */
export const SERVICE_CREATION: readonly Scenario[] = rows({
  "S-01 a Service gets the finalizer, then a load balancer, then its address, and Events": async (
    env,
  ) => {
    await standingMember(env);
    let before: Service | undefined;
    env.relay.rule({
      fits: about("s-01", isCreation),
      strike: async () => {
        before = await env.kube.get<Service>(`${SERVICES}/s-01`);
        return undefined;
      },
    });
    await createService(env, "s-01");
    const service = await served(env, "s-01");
    demand(before !== undefined, "no load balancer was asked for");
    hasFinalizer(before);
    const { address, tags } = await loadBalancerFor(env, "s-01");
    same(ingressOf(service), [{ ip: address, ipMode: "VIP" }], "where it is reached");
    same(tags[CLUSTER_NAME_TAG], CLUSTER_NAME, "the cluster's name");
    for (const reason of ["EnsuringLoadBalancer", "EnsuredLoadBalancer"])
      same((await reported(env, "s-01", [reason])).type, "Normal", `the type of ${reason}`);
  },
  "S-02 Services of other types are none of its business": async (env) => {
    await createService(env, "s-02-a", { spec: { type: "ClusterIP" } });
    await createService(env, "s-02-b", { spec: { type: "NodePort" } });
    await leftAlone(env, ["s-02-a", "s-02-b"]);
  },
  "S-03 a Service of another class is left alone": async (env) => {
    await createService(env, "s-03", { spec: { loadBalancerClass: "x/y" } });
    await leftAlone(env, ["s-03"]);
    same(ingressOf(seenService(env, "s-03")), [], "where it is reached");
  },
  "S-06 a Service that becomes a LoadBalancer is served like a new one": async (env) => {
    await standingMember(env);
    await createService(env, "s-06", { spec: { type: "ClusterIP" } });
    await editSpec(env, "s-06", { type: "LoadBalancer" });
    const service = await served(env, "s-06");
    const { address } = await loadBalancerFor(env, "s-06");
    same(ingressOf(service)[0]?.ip, address, "where it is reached");
    for (const reason of ["EnsuringLoadBalancer", "EnsuredLoadBalancer"])
      await reported(env, "s-06", [reason]);
  },
  "S-07 a UDP port is asked for as UDP (SCTP, which this cloud has not: with the scripted one)":
    async (env) => {
      const spec = { ports: [{ name: "dns", protocol: "UDP", port: 53 }] };
      await preparedService(env, "s-07", { spec });
      const { listeners } = await loadBalancerFor(env, "s-07");
      same(
        listeners.map(({ protocol, port }) => [protocol, port]),
        [["UDP", 53]],
        "the listeners",
      );
    },
  "S-14 what another controller implements keeps its status, and nothing is reported about it":
    async (env) => {
      await standingMember(env);
      const annotations = { "sandbox.cloudwright.io/implemented-elsewhere": "true" };
      await createService(env, "s-14", { annotations });
      await untilService(env, "s-14", { check: hasFinalizer });
      await always(
        async () => {
          notReported(env, "s-14", "EnsuredLoadBalancer", "SyncLoadBalancerFailed");
          same(ingressOf(seenService(env, "s-14")), [], "where it is reached");
          same(changesOf(env, "s-14").length, 0, "changes in the cloud");
        },
        { forMs: 10_000 },
      );
    },
  "S-61 with externalTrafficPolicy Local the health check asks the Service's own port": async (
    env,
  ) => {
    const service = await preparedService(env, "s-61", {
      spec: { externalTrafficPolicy: "Local" },
    });
    const port = service.spec.healthCheckNodePort;
    demand(port !== undefined && port > 0, "the API server gave no health check port");
    const { healthCheck, members } = await loadBalancerFor(env, "s-61");
    same([healthCheck.path, healthCheck.port], ["/healthz", port], "the health check");
    demand(members.length >= 1, "it has no members");
  },
  "S-62 source ranges come from the field, else the annotation, else are everybody; wrong ones the API refuses":
    async (env) => {
      await standingMember(env);
      const byAnnotation = (value: string) => ({
        annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": value },
      });
      await createService(env, "s-62-ann", byAnnotation("10.1.0.0/16, 10.2.0.0/16"));
      await createService(env, "s-62-field", {
        spec: { loadBalancerSourceRanges: ["10.3.0.0/16"] },
      });
      await createService(env, "s-62-none");
      const wrong = createService(env, "s-62-bad", byAnnotation("10.4.0.1"));
      same(await refusalOf(wrong), 422, "the API's answer to a wrong one");
      for (const name of ["s-62-ann", "s-62-field", "s-62-none"]) await served(env, name);
      const ranges = async (name: string) => (await loadBalancerFor(env, name)).sourceRanges;
      same(await ranges("s-62-ann"), ["10.1.0.0/16", "10.2.0.0/16"], "those of the annotation");
      same(await ranges("s-62-field"), ["10.3.0.0/16"], "those of the field");
      const everybody = (await ranges("s-62-none")).filter((range) => range !== "0.0.0.0/0");
      same(everybody, [], "ranges of a Service without any");
      same((await firewallRulesOf(env.cloud, key("s-62-none"))).length, 0, "its firewall rules");
    },
  "S-76 an answer to the creation that got lost leaves one load balancer, not two": async (env) => {
    await standingMember(env);
    env.relay.rule({ fits: about("s-76", isCreation), times: 1, strike: () => "lose" });
    await createService(env, "s-76");
    const service = await served(env, "s-76", 60_000);
    const { address } = await loadBalancerFor(env, "s-76");
    same(ingressOf(service)[0]?.ip, address, "where it is reached");
  },
  "S-82 a creation that is forbidden is reported as a lack of permission, and nobody else suffers":
    async (env) => {
      await standingMember(env);
      env.relay.rule({
        fits: about("s-82", isCreation),
        strike: () => ({ status: 403, code: "forbidden" }),
      });
      await createService(env, "s-82");
      await warnedOf(env, "s-82", ["SyncLoadBalancerFailed"]);
      await inLedger(env, "s-82", { code: "ProviderUnauthorized" });
      await createService(env, "s-82-other");
      await served(env, "s-82-other", 10_000);
      const tries = () => changesOf(env, "s-82").filter(isCreation);
      await eventually(() => demand(tries().length >= 3, "it was not tried three times"), {
        withinMs: 60_000,
      });
      const [first, second, third] = tries().map(({ at }) => at);
      const [gap, next] = [(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)];
      demand(next > gap, `the pauses between its tries are ${gap} and ${next} ms`);
    },
});

async function leftAlone(env: SharedEnvironment, names: readonly string[]): Promise<void> {
  for (const name of names) await untilService(env, name, { check: () => undefined });
  await always(
    () => {
      for (const name of names) {
        same(finalizersOf(seenService(env, name)), [], `the finalizers of ${name}`);
        const events = serviceEvents(env, name).map(
          ({ reason, message }) => `${reason}: ${message}`,
        );
        same(events, [], `Events about ${name}`);
        same(changesOf(env, name).length, 0, `changes in the cloud for ${name}`);
      }
    },
    { forMs: 10_000 },
  );
}
