import {
  dropLoadBalancer,
  firewallRulesOf,
  SERVICE_UID_TAG,
} from "../../harness/load-balancers.ts";
import { dropService } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { rows, type Scenario } from "../environment/scenario.ts";
import { eventCount, notReported, reported, serviceEvents, warnedOf } from "./evidence.ts";
import {
  about,
  changesOf,
  createService,
  deleteService,
  editService,
  editSpec,
  FINALIZER,
  finalizersOf,
  ingressOf,
  isCreation,
  isDeletion,
  key,
  loadBalancerFor,
  noLoadBalancer,
  preparedService,
  seenService,
  served,
  serviceGone,
  standingMember,
  untilLoadBalancer,
  untilService,
} from "./objects.ts";

/** Rows about how a Service is separated from its load balancer. */
export const SERVICE_REMOVAL: readonly Scenario[] = rows({
  "S-04 a deleted Service takes its load balancer with it, and says so": async (env) => {
    await preparedService(env, "s-04");
    await deleteService(env, "s-04");
    await serviceGone(env, "s-04");
    await noLoadBalancer(env, "s-04");
    for (const reason of ["DeletingLoadBalancer", "DeletedLoadBalancer"])
      await reported(env, "s-04", [reason]);
  },
  "S-05 a Service that is a LoadBalancer no more loses load balancer, finalizer and address":
    async (env) => {
      await preparedService(env, "s-05");
      await editSpec(env, "s-05", { type: "ClusterIP" });
      await untilService(env, "s-05", {
        check: (service) => {
          same(finalizersOf(service), [], "the finalizers");
          same(ingressOf(service), [], "where it is reached");
        },
      });
      await noLoadBalancer(env, "s-05");
    },
  "S-11 a deletion that the cloud fails keeps the Service until it succeeds": async (env) => {
    await preparedService(env, "s-11");
    env.relay.rule({
      fits: about("s-11", isDeletion),
      times: 2,
      strike: () => ({ status: 500, code: "internal" }),
    });
    await deleteService(env, "s-11");
    await warnedOf(env, "s-11", ["SyncLoadBalancerFailed"]);
    demand(finalizersOf(seenService(env, "s-11")).includes(FINALIZER), "it is free already");
    await serviceGone(env, "s-11");
    await noLoadBalancer(env, "s-11");
  },
  "S-13 a Service whose load balancer is gone already can go": async (env) => {
    await preparedService(env, "s-13");
    await dropLoadBalancer(env.cloud, (await loadBalancerFor(env, "s-13")).id);
    await deleteService(env, "s-13");
    await serviceGone(env, "s-13");
    notReported(env, "s-13", "SyncLoadBalancerFailed");
  },
  "S-51 another one's finalizer survives, and the load balancer is deleted once": async (env) => {
    await preparedService(env, "s-51", { finalizers: ["x.example/y"] });
    await deleteService(env, "s-51");
    await untilService(env, "s-51", {
      check: (service) => same(finalizersOf(service), ["x.example/y"], "the finalizers"),
    });
    await always(
      () => same(changesOf(env, "s-51").filter(isDeletion).length, 1, "deletions asked for"),
      { forMs: 10_000 },
    );
    same(finalizersOf(seenService(env, "s-51")), ["x.example/y"], "the finalizers");
    await editService(env, "s-51", { metadata: { finalizers: null } });
    await serviceGone(env, "s-51");
  },
  "S-56 one made again under the same name gets a load balancer of its own, and the old one goes":
    async (env) => {
      const old = await preparedService(env, "s-56");
      await deleteService(env, "s-56");
      await eventually(() => createService(env, "s-56"), { withinMs: 30_000 });
      await untilService(env, "s-56", {
        check: ({ metadata }) => demand(metadata.uid !== old.metadata.uid, "it is the old one"),
      });
      const now = await served(env, "s-56");
      const { tags, address } = await untilLoadBalancer(env, "s-56", { check: () => undefined });
      same(tags[SERVICE_UID_TAG], now.metadata.uid, "whose load balancer it is");
      same(ingressOf(seenService(env, "s-56"))[0]?.ip, address, "where it is reached");
    },
  "S-57 a Service deleted while its creation fails goes, and is not created any more": async (
    env,
  ) => {
    await standingMember(env);
    env.relay.rule({
      fits: about("s-57", isCreation),
      strike: () => ({ status: 500, code: "internal" }),
    });
    await createService(env, "s-57");
    await warnedOf(env, "s-57", ["SyncLoadBalancerFailed"]);
    await deleteService(env, "s-57");
    const tried = changesOf(env, "s-57").filter(isCreation).length;
    await serviceGone(env, "s-57", 10_000);
    await always(
      () => same(changesOf(env, "s-57").filter(isCreation).length, tried, "creations tried"),
      { forMs: 10_000 },
    );
  },
  "S-59 a Service that vanishes while its load balancer is made is no error, and leaves nothing":
    async (env) => {
      await standingMember(env);
      env.relay.rule({
        fits: about("s-59", isCreation),
        times: 1,
        strike: async () => {
          // Simulates a user who strips finalizers to finish the deletion of a namespace.
          await dropService(env.kube, "s-59");
          return undefined;
        },
      });
      await createService(env, "s-59");
      await eventually(() =>
        demand(changesOf(env, "s-59").some(isCreation), "no load balancer was asked for"),
      );
      await serviceGone(env, "s-59");
      await noLoadBalancer(env, "s-59");
      await always(() => notReported(env, "s-59", "SyncLoadBalancerFailed"), { forMs: 10_000 });
    },
  "S-65 of a load balancer that is gone what it left behind goes with the Service": async (env) => {
    await preparedService(env, "s-65", { spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } });
    const rules = () => firewallRulesOf(env.cloud, key("s-65"));
    demand((await rules()).length > 0, "its source ranges made no firewall rule");
    await dropLoadBalancer(env.cloud, (await loadBalancerFor(env, "s-65")).id);
    await deleteService(env, "s-65");
    await serviceGone(env, "s-65");
    await eventually(async () => same((await rules()).length, 0, "firewall rules left behind"));
  },
  "S-67 a Service whose finalizer somebody strips and that then goes leaves no load balancer":
    async (env) => {
      await preparedService(env, "s-67");
      await Promise.all([
        editService(env, "s-67", { metadata: { finalizers: null } }),
        deleteService(env, "s-67"),
      ]);
      await editService(env, "s-67", { metadata: { finalizers: null } }).catch(() => undefined);
      await serviceGone(env, "s-67");
      await noLoadBalancer(env, "s-67");
    },
  "S-68 of another class's Service with the finalizer nothing is touched": async (env) => {
    await createService(env, "s-68", {
      spec: { loadBalancerClass: "x/y" },
      finalizers: [FINALIZER],
    });
    await deleteService(env, "s-68");
    await always(
      () => {
        same(finalizersOf(seenService(env, "s-68")), [FINALIZER], "the finalizers");
        same(changesOf(env, "s-68").length, 0, "changes in the cloud");
        same(serviceEvents(env, "s-68").length, 0, "Events");
      },
      { forMs: 10_000 },
    );
  },
  "S-81 an answer to the deletion that got lost is made up for by looking again": async (env) => {
    await preparedService(env, "s-81");
    env.relay.rule({ fits: about("s-81", isDeletion), times: 1, strike: () => "lose" });
    await deleteService(env, "s-81");
    await serviceGone(env, "s-81");
    await noLoadBalancer(env, "s-81");
    demand(eventCount(env, "s-81", "DeletedLoadBalancer") <= 1, "its deletion was reported twice");
  },
});
