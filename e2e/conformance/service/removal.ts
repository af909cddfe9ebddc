import { dropBalancer, firewallRulesOf, SERVICE_UID_TAG } from "../../harness/balancers.ts";
import { dropService } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { Scenario } from "../environment/scenario.ts";
import { eventCount, notTold, serviceEvents, told, warnedOf } from "./evidence.ts";
import {
  about,
  balancerFor,
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
  noBalancer,
  preparedService,
  seenService,
  served,
  serviceGone,
  standingMember,
  untilBalancer,
  untilService,
} from "./objects.ts";

/** Rows about how a Service and its balancer part. */
export const SERVICE_REMOVAL: readonly Scenario[] = [
  {
    id: "S-04",
    title: "a deleted Service takes its balancer with it, and says so",
    async run(world) {
      await preparedService(world, "s-04");
      await deleteService(world, "s-04");
      await serviceGone(world, "s-04");
      await noBalancer(world, "s-04");
      for (const reason of ["DeletingLoadBalancer", "DeletedLoadBalancer"])
        await told(world, "s-04", [reason]);
    },
  },
  {
    id: "S-05",
    title: "a Service that is a LoadBalancer no more loses balancer, finalizer and address",
    async run(world) {
      await preparedService(world, "s-05");
      await editSpec(world, "s-05", { type: "ClusterIP" });
      await untilService(world, "s-05", {
        check: (service) => {
          same(finalizersOf(service), [], "the finalizers");
          same(ingressOf(service), [], "where it is reached");
        },
      });
      await noBalancer(world, "s-05");
    },
  },
  {
    id: "S-11",
    title: "a deletion that the cloud fails keeps the Service until it succeeds",
    async run(world) {
      await preparedService(world, "s-11");
      world.relay.rule({
        fits: about("s-11", isDeletion),
        times: 2,
        strike: () => ({ status: 500, code: "internal" }),
      });
      await deleteService(world, "s-11");
      await warnedOf(world, "s-11", ["SyncLoadBalancerFailed"]);
      demand(finalizersOf(seenService(world, "s-11")).includes(FINALIZER), "it is free already");
      await serviceGone(world, "s-11");
      await noBalancer(world, "s-11");
    },
  },
  {
    id: "S-13",
    title: "a Service whose balancer is gone already can go",
    async run(world) {
      await preparedService(world, "s-13");
      await dropBalancer(world.cloud, (await balancerFor(world, "s-13")).id);
      await deleteService(world, "s-13");
      await serviceGone(world, "s-13");
      notTold(world, "s-13", "SyncLoadBalancerFailed");
    },
  },
  {
    id: "S-51",
    title: "another one's finalizer survives, and the balancer is deleted once",
    async run(world) {
      await preparedService(world, "s-51", { finalizers: ["x.example/y"] });
      await deleteService(world, "s-51");
      await untilService(world, "s-51", {
        check: (service) => same(finalizersOf(service), ["x.example/y"], "the finalizers"),
      });
      await always(
        () => same(changesOf(world, "s-51").filter(isDeletion).length, 1, "deletions asked for"),
        { forMs: 10_000 },
      );
      same(finalizersOf(seenService(world, "s-51")), ["x.example/y"], "the finalizers");
      await editService(world, "s-51", { metadata: { finalizers: null } });
      await serviceGone(world, "s-51");
    },
  },
  {
    id: "S-56",
    title: "one made again under the same name gets a balancer of its own, and the old one goes",
    async run(world) {
      const old = await preparedService(world, "s-56");
      await deleteService(world, "s-56");
      await eventually(() => createService(world, "s-56"), { withinMs: 30_000 });
      await untilService(world, "s-56", {
        check: ({ metadata }) => demand(metadata.uid !== old.metadata.uid, "it is the old one"),
      });
      const now = await served(world, "s-56");
      const { tags, address } = await untilBalancer(world, "s-56", { check: () => undefined });
      same(tags[SERVICE_UID_TAG], now.metadata.uid, "whose balancer it is");
      same(ingressOf(seenService(world, "s-56"))[0]?.ip, address, "where it is reached");
    },
  },
  {
    id: "S-57",
    title: "a Service deleted while its creation fails goes, and is not created any more",
    async run(world) {
      await standingMember(world);
      world.relay.rule({
        fits: about("s-57", isCreation),
        strike: () => ({ status: 500, code: "internal" }),
      });
      await createService(world, "s-57");
      await warnedOf(world, "s-57", ["SyncLoadBalancerFailed"]);
      await deleteService(world, "s-57");
      const tried = changesOf(world, "s-57").filter(isCreation).length;
      await serviceGone(world, "s-57", 10_000);
      await always(
        () => same(changesOf(world, "s-57").filter(isCreation).length, tried, "creations tried"),
        { forMs: 10_000 },
      );
    },
  },
  {
    id: "S-59",
    title: "a Service that vanishes while its balancer is made is no error, and leaves nothing",
    async run(world) {
      await standingMember(world);
      world.relay.rule({
        fits: about("s-59", isCreation),
        times: 1,
        strike: async () => {
          // As the namespace's deletion with a patient's hand that strips finalizers.
          await dropService(world.kube, "s-59");
          return undefined;
        },
      });
      await createService(world, "s-59");
      await eventually(() =>
        demand(changesOf(world, "s-59").some(isCreation), "no balancer was asked for"),
      );
      await serviceGone(world, "s-59");
      await noBalancer(world, "s-59");
      await always(() => notTold(world, "s-59", "SyncLoadBalancerFailed"), { forMs: 10_000 });
    },
  },
  {
    id: "S-65",
    title: "of a balancer that is gone what it left behind goes with the Service",
    async run(world) {
      await preparedService(world, "s-65", { spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } });
      const rules = () => firewallRulesOf(world.cloud, key("s-65"));
      demand((await rules()).length > 0, "its source ranges made no firewall rule");
      await dropBalancer(world.cloud, (await balancerFor(world, "s-65")).id);
      await deleteService(world, "s-65");
      await serviceGone(world, "s-65");
      await eventually(async () => same((await rules()).length, 0, "firewall rules left behind"));
    },
  },
  {
    id: "S-67",
    title: "a Service whose finalizer somebody strips and that then goes leaves no balancer",
    async run(world) {
      await preparedService(world, "s-67");
      await Promise.all([
        editService(world, "s-67", { metadata: { finalizers: null } }),
        deleteService(world, "s-67"),
      ]);
      await editService(world, "s-67", { metadata: { finalizers: null } }).catch(() => undefined);
      await serviceGone(world, "s-67");
      await noBalancer(world, "s-67");
    },
  },
  {
    id: "S-68",
    title: "of another class's Service with the finalizer nothing is touched",
    async run(world) {
      await createService(world, "s-68", {
        spec: { loadBalancerClass: "x/y" },
        finalizers: [FINALIZER],
      });
      await deleteService(world, "s-68");
      await always(
        () => {
          same(finalizersOf(seenService(world, "s-68")), [FINALIZER], "the finalizers");
          same(changesOf(world, "s-68").length, 0, "changes in the cloud");
          same(serviceEvents(world, "s-68").length, 0, "Events");
        },
        { forMs: 10_000 },
      );
    },
  },
  {
    id: "S-81",
    title: "an answer to the deletion that got lost is made up for by looking again",
    async run(world) {
      await preparedService(world, "s-81");
      world.relay.rule({ fits: about("s-81", isDeletion), times: 1, strike: () => "lose" });
      await deleteService(world, "s-81");
      await serviceGone(world, "s-81");
      await noBalancer(world, "s-81");
      demand(eventCount(world, "s-81", "DeletedLoadBalancer") <= 1, "it was told gone twice");
    },
  },
];
