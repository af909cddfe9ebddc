import { strict as assert } from "node:assert";
import { mutations } from "../contexts-of-bench.ts";
import { failureOf } from "../failure-of.ts";
import {
  apply,
  type BalancerBenchCase,
  converge,
  lookAndPlan,
  observe,
  ofOwner,
  onlyOne,
  ownerOf,
  plan,
  removeAll,
  serve,
  specOf,
} from "./bench.ts";

const WEB = ownerOf("web");

/** One balancer from its making to its removal. */
export const balancerLifeCases: readonly BalancerBenchCase[] = [
  {
    name: "makes what a Service asks for, and tells where it is reached",
    check: async (bench) => {
      const members = [
        await bench.fixture.createMember("w-0"),
        await bench.fixture.createMember("w-1"),
      ];
      const { made, id } = await serve(bench, specOf(WEB, { members }));
      const one = await onlyOne(bench, WEB);
      assert.equal(one.id, id);
      assert.deepEqual(one.ports, [80]);
      assert.deepEqual(new Set(one.members), new Set(members));
      assert.deepEqual(new Set(Object.keys(made.members)), new Set(members));
      assert.ok(made.aspects.length > 0, "Nothing tells what it compared.");
      for (const { name, desired, actual } of made.aspects) assert.equal(actual, desired, name);
    },
  },
  {
    name: "finds nothing left to do once it is done",
    check: async (bench) => {
      const spec = specOf(WEB, { members: [await bench.fixture.createMember("w-0")] });
      await serve(bench, spec);
      const before = mutations(bench);
      await serve(bench, spec);
      assert.equal(mutations(bench), before, "It wrote although all was as it should be.");
    },
  },
  {
    name: "says of its own change what an observation would say",
    check: async (bench) => {
      const { loadBalancers } = bench.fixture;
      const wish = { spec: specOf(WEB) };
      const first = await lookAndPlan(bench, WEB, wish);
      const [change] = first.changes;
      assert.ok(change, "It plans nothing although there is no balancer.");
      const answered = await apply(bench, change);
      if (answered === undefined) return;
      const told = plan(loadBalancers, { owner: WEB, observed: answered, wish });
      const seen = await lookAndPlan(bench, WEB, wish);
      assert.deepEqual(told.changes, seen.changes);
    },
  },
  {
    name: "plans without touching what it is given, and the same each time",
    check: async (bench) => {
      await serve(bench, specOf(WEB));
      const observed = await observe(bench, WEB);
      const asked = { owner: WEB, observed, wish: { spec: specOf(WEB), everything: true } };
      const before = structuredClone(asked);
      const first = plan(bench.fixture.loadBalancers, asked);
      assert.deepEqual(plan(bench.fixture.loadBalancers, asked), first);
      assert.deepEqual(asked, before);
      for (const { request, before: was, after } of first.changes) {
        const carried = { request, was, after };
        assert.deepEqual(JSON.parse(JSON.stringify(carried)), carried, "A change is no JSON.");
      }
    },
  },
  {
    name: "changes the listeners of the balancer that is there",
    check: async (bench) => {
      const { id } = await serve(bench, specOf(WEB));
      const listeners = [
        { name: "http", protocol: "TCP", port: 8_080, nodePort: 30_080 },
        { name: "more", protocol: "TCP", port: 8_443, nodePort: 30_443 },
      ] as const;
      assert.equal((await serve(bench, specOf(WEB, { listeners }))).id, id);
      assert.deepEqual(new Set((await onlyOne(bench, WEB)).ports), new Set([8_080, 8_443]));
    },
  },
  {
    name: "adds and removes members by changes of members alone",
    check: async (bench) => {
      const first = await bench.fixture.createMember("w-0");
      const second = await bench.fixture.createMember("w-1");
      for (const members of [[first], [first, second], [second], []]) {
        const spec = specOf(WEB, { members });
        const hadOne = (await ofOwner(bench, WEB)).length === 1;
        const { changes } = await lookAndPlan(bench, WEB, { spec });
        const actions = changes.map(({ action }) => action);
        if (hadOne) assert.deepEqual([...new Set(actions)], ["members"]);
        await serve(bench, spec);
        assert.deepEqual(new Set((await onlyOne(bench, WEB)).members), new Set(members));
      }
    },
  },
  {
    name: "names the one member that the cloud refuses, and serves the others",
    needs: ["unknownMember"],
    check: async (bench) => {
      const good = await bench.fixture.createMember("w-0");
      const bad = bench.fixture.unknownMember ?? "";
      const error = await failureOf(
        converge(bench, WEB, { spec: specOf(WEB, { members: [good, bad] }) }),
      );
      assert.equal(error.code, "Invalid");
      assert.equal(error.call.member, bad);
      await serve(bench, specOf(WEB, { members: [good] }));
      assert.deepEqual((await onlyOne(bench, WEB)).members, [good]);
    },
  },
  {
    name: "writes everything again when it is asked to",
    check: async (bench) => {
      const { id } = await serve(bench, specOf(WEB));
      const wish = { spec: specOf(WEB), everything: true };
      assert.ok((await lookAndPlan(bench, WEB, wish)).changes.length > 0, "It plans no write.");
      const before = mutations(bench);
      assert.equal((await serve(bench, specOf(WEB), { everything: true })).id, id);
      assert.ok(mutations(bench) > before, "It wrote nothing.");
    },
  },
  {
    name: "serves both families where it offers both",
    check: async (bench) => {
      const { families } = bench.fixture.loadBalancers.abilities;
      const { made } = await serve(bench, specOf(WEB, { families }));
      const ips = (made.status?.ingress ?? []).flatMap(({ ip }) => (ip === undefined ? [] : [ip]));
      if (ips.length === 0) return;
      const seen = ips.map((ip) => (ip.includes(":") ? "IPv6" : "IPv4"));
      assert.deepEqual(seen, [...families]);
    },
  },
  {
    name: "removes everything, and again without harm",
    check: async (bench) => {
      await serve(bench, specOf(WEB, { sourceRanges: ["10.0.0.0/8"] }));
      const { changes } = await lookAndPlan(bench, WEB, { spec: undefined });
      assert.equal((await removeAll(bench, WEB)).next.kind, "settled");
      assert.deepEqual(await bench.fixture.balancers(), []);
      assert.deepEqual(await bench.fixture.parts(), []);
      for (const change of changes) await apply(bench, change);
      const before = mutations(bench);
      await removeAll(bench, WEB);
      assert.equal(mutations(bench), before, "It removed what is not there.");
    },
  },
  {
    name: "keeps others out, lets all in again, and leaves nothing beside it",
    check: async (bench) => {
      const none = await bench.fixture.parts();
      for (const sourceRanges of [
        ["10.0.0.0/8"],
        ["10.0.0.0/8", "192.168.0.0/16"],
        ["0.0.0.0/0"],
      ]) {
        await serve(bench, specOf(WEB, { sourceRanges }));
      }
      assert.deepEqual(await bench.fixture.parts(), none);
    },
  },
  {
    name: "removes what is beside a balancer that has gone without it",
    needs: ["removeBalancer"],
    check: async (bench) => {
      const { id } = await serve(bench, specOf(WEB, { sourceRanges: ["10.0.0.0/8"] }));
      await bench.fixture.removeBalancer?.(id);
      await removeAll(bench, WEB);
      assert.deepEqual(await bench.fixture.parts(), []);
    },
  },
  {
    name: "makes a balancer anew that somebody removed",
    notWrapped: true,
    needs: ["removeBalancer"],
    check: async (bench) => {
      const { id } = await serve(bench, specOf(WEB));
      await bench.fixture.removeBalancer?.(id);
      assert.notEqual((await serve(bench, specOf(WEB))).id, id);
      await onlyOne(bench, WEB);
    },
  },
  {
    name: "restores what somebody changed",
    needs: ["editBalancer"],
    check: async (bench) => {
      const { id } = await serve(bench, specOf(WEB));
      await bench.fixture.editBalancer?.(id);
      const { aspects } = await lookAndPlan(bench, WEB, { spec: specOf(WEB) });
      assert.ok(
        aspects.some(({ desired, actual }) => desired !== actual),
        "It tells no difference.",
      );
      assert.equal((await serve(bench, specOf(WEB))).id, id);
      assert.deepEqual((await onlyOne(bench, WEB)).ports, [80]);
    },
  },
];
