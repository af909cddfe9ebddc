import { strict as assert } from "node:assert";
import { failureOf } from "../failure-of.ts";
import { mutations } from "../recorded-contexts.ts";
import {
  apply,
  converge,
  type LoadBalancerCase,
  observe,
  observeAndPlan,
  ofOwner,
  onlyOne,
  ownerOf,
  plan,
  removeAll,
  serve,
  specOf,
} from "./steps.ts";

const WEB = ownerOf("web");

/** One load balancer from its creation to its removal. */
export const loadBalancerLifeCases: readonly LoadBalancerCase[] = [
  {
    name: "creates what a Service asks for, and reports its address",
    check: async (subject) => {
      const members = [
        await subject.fixture.createMember("w-0"),
        await subject.fixture.createMember("w-1"),
      ];
      const { made, id } = await serve(subject, specOf(WEB, { members }));
      const one = await onlyOne(subject, WEB);
      assert.equal(one.id, id);
      assert.deepEqual(one.ports, [80]);
      assert.deepEqual(new Set(one.members), new Set(members));
      assert.deepEqual(new Set(Object.keys(made.members)), new Set(members));
      assert.ok(made.aspects.length > 0, "It does not report what it compared.");
      for (const { name, desired, actual } of made.aspects) assert.equal(actual, desired, name);
    },
  },
  {
    name: "finds nothing left to do once it is done",
    check: async (subject) => {
      const spec = specOf(WEB, { members: [await subject.fixture.createMember("w-0")] });
      await serve(subject, spec);
      const before = mutations(subject);
      await serve(subject, spec);
      assert.equal(mutations(subject), before, "It wrote although everything was in sync.");
    },
  },
  {
    name: "says of its own change what an observation would say",
    check: async (subject) => {
      const { loadBalancers } = subject.fixture;
      const options = { spec: specOf(WEB) };
      const first = await observeAndPlan(subject, WEB, options);
      const [change] = first.changes;
      assert.ok(change, "It plans nothing although there is no balancer.");
      const answered = await apply(subject, change);
      if (answered === undefined) return;
      const reported = await plan(loadBalancers, {
        owner: WEB,
        observed: answered,
        request: options,
      });
      const seen = await observeAndPlan(subject, WEB, options);
      assert.deepEqual(reported.changes, seen.changes);
    },
  },
  {
    name: "plans without touching what it is given, and the same each time",
    check: async (subject) => {
      await serve(subject, specOf(WEB));
      const observed = await observe(subject, WEB);
      const asked = { owner: WEB, observed, request: { spec: specOf(WEB), everything: true } };
      const before = structuredClone(asked);
      const first = await plan(subject.fixture.loadBalancers, asked);
      assert.deepEqual(await plan(subject.fixture.loadBalancers, asked), first);
      assert.deepEqual(asked, before);
      for (const { request, before: was, after } of first.changes) {
        const carried = { request, was, after };
        assert.deepEqual(JSON.parse(JSON.stringify(carried)), carried, "A change is no JSON.");
      }
    },
  },
  {
    name: "changes the listeners of the load balancer that is there",
    check: async (subject) => {
      const { id } = await serve(subject, specOf(WEB));
      const listeners = [
        { name: "http", protocol: "TCP", port: 8_080, nodePort: 30_080 },
        { name: "more", protocol: "TCP", port: 8_443, nodePort: 30_443 },
      ] as const;
      assert.equal((await serve(subject, specOf(WEB, { listeners }))).id, id);
      assert.deepEqual(new Set((await onlyOne(subject, WEB)).ports), new Set([8_080, 8_443]));
    },
  },
  {
    name: "adds and removes members by changes of members alone",
    check: async (subject) => {
      const first = await subject.fixture.createMember("w-0");
      const second = await subject.fixture.createMember("w-1");
      for (const members of [[first], [first, second], [second], []]) {
        const spec = specOf(WEB, { members });
        const hadOne = (await ofOwner(subject, WEB)).length === 1;
        const { changes } = await observeAndPlan(subject, WEB, { spec });
        const actions = changes.map(({ action }) => action);
        if (hadOne) assert.deepEqual([...new Set(actions)], ["members"]);
        await serve(subject, spec);
        assert.deepEqual(new Set((await onlyOne(subject, WEB)).members), new Set(members));
      }
    },
  },
  {
    name: "names the one member that the cloud refuses, and serves the others",
    needs: ["unknownMember"],
    check: async (subject) => {
      const good = await subject.fixture.createMember("w-0");
      const bad = subject.fixture.unknownMember ?? "";
      const error = await failureOf(
        converge(subject, WEB, { spec: specOf(WEB, { members: [good, bad] }) }),
      );
      assert.equal(error.code, "Invalid");
      assert.equal(error.call.member, bad);
      await serve(subject, specOf(WEB, { members: [good] }));
      assert.deepEqual((await onlyOne(subject, WEB)).members, [good]);
    },
  },
  {
    name: "writes everything again when it is asked to",
    check: async (subject) => {
      const { id } = await serve(subject, specOf(WEB));
      const options = { spec: specOf(WEB), everything: true };
      assert.ok(
        (await observeAndPlan(subject, WEB, options)).changes.length > 0,
        "It plans no write.",
      );
      const before = mutations(subject);
      assert.equal((await serve(subject, specOf(WEB), { everything: true })).id, id);
      assert.ok(mutations(subject) > before, "It wrote nothing.");
    },
  },
  {
    name: "serves both families where it offers both",
    check: async (subject) => {
      const { families } = subject.fixture.loadBalancers.abilities;
      const { made } = await serve(subject, specOf(WEB, { families }));
      const ips = (made.status?.ingress ?? []).flatMap(({ ip }) => (ip === undefined ? [] : [ip]));
      if (ips.length === 0) return;
      const seen = ips.map((ip) => (ip.includes(":") ? "IPv6" : "IPv4"));
      assert.deepEqual(seen, [...families]);
    },
  },
  {
    name: "removes everything, and again without harm",
    check: async (subject) => {
      await serve(subject, specOf(WEB, { sourceRanges: ["10.0.0.0/8"] }));
      const { changes } = await observeAndPlan(subject, WEB, { spec: undefined });
      assert.equal((await removeAll(subject, WEB)).next.kind, "settled");
      assert.deepEqual(await subject.fixture.existing(), []);
      assert.deepEqual(await subject.fixture.parts(), []);
      for (const change of changes) await apply(subject, change);
      const before = mutations(subject);
      await removeAll(subject, WEB);
      assert.equal(mutations(subject), before, "It removed a load balancer that does not exist.");
    },
  },
  {
    name: "keeps others out, lets all in again, and leaves nothing beside it",
    check: async (subject) => {
      const none = await subject.fixture.parts();
      for (const sourceRanges of [
        ["10.0.0.0/8"],
        ["10.0.0.0/8", "192.168.0.0/16"],
        ["0.0.0.0/0"],
      ]) {
        await serve(subject, specOf(WEB, { sourceRanges }));
      }
      assert.deepEqual(await subject.fixture.parts(), none);
    },
  },
  {
    name: "removes what is beside a load balancer that has gone without it",
    needs: ["removeLoadBalancer"],
    check: async (subject) => {
      const { id } = await serve(subject, specOf(WEB, { sourceRanges: ["10.0.0.0/8"] }));
      await subject.fixture.removeLoadBalancer?.(id);
      await removeAll(subject, WEB);
      assert.deepEqual(await subject.fixture.parts(), []);
    },
  },
  {
    name: "makes a load balancer anew that somebody removed",
    needs: ["notWrapped", "removeLoadBalancer"],
    check: async (subject) => {
      const { id } = await serve(subject, specOf(WEB));
      await subject.fixture.removeLoadBalancer?.(id);
      assert.notEqual((await serve(subject, specOf(WEB))).id, id);
      await onlyOne(subject, WEB);
    },
  },
  {
    name: "restores what somebody changed",
    needs: ["editLoadBalancer"],
    check: async (subject) => {
      const { id } = await serve(subject, specOf(WEB));
      await subject.fixture.editLoadBalancer?.(id);
      const { aspects } = await observeAndPlan(subject, WEB, { spec: specOf(WEB) });
      assert.ok(
        aspects.some(({ desired, actual }) => desired !== actual),
        "It reports no difference.",
      );
      assert.equal((await serve(subject, specOf(WEB))).id, id);
      assert.deepEqual((await onlyOne(subject, WEB)).ports, [80]);
    },
  },
];
