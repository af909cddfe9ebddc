import { CONDITION_NAMES, type Rules } from "@cloudwright/core/model/notifications";
import type { Alarm } from "@cloudwright/store/webhooks/alarms";
import { describe, expect, it } from "vitest";
import { decideAlarms } from "./decide-alarms.ts";
import type { Trouble } from "./troubles.ts";

const MINUTE = 60_000;
const NOW = 100 * MINUTE;

function trouble(
  names: Readonly<Record<string, number | undefined>>,
  { condition = "stuck", cause = "full" }: Partial<Pick<Trouble, "condition" | "cause">> = {},
): Trouble {
  return {
    ...{ condition, cause, members: new Map(Object.entries(names)), object: undefined },
    title: (count) => `${count} nodes`,
    sentence: (count) => `${count} nodes: ${cause}`,
    path: () => "/c/c-1",
  };
}

/** A webhook over time; returns the messages of each check. */
function watcher(rules: Rules = { stuck: { afterMinutes: 5 } }) {
  let alarms: readonly Alarm[] = [];
  return {
    get alarms() {
      return alarms;
    },
    look(now: number, ...troubles: readonly Trouble[]) {
      const decision = decideAlarms(
        {
          ...{ webhook: { id: "w", rules }, cluster: { id: "c-1", name: "prod" }, troubles, now },
          known: new Set(CONDITION_NAMES),
        },
        alarms,
      );
      const gone = new Set([...decision.drop, ...decision.put.map(({ key }) => key)]);
      alarms = [...alarms.filter(({ key }) => !gone.has(key)), ...decision.put];
      return {
        said: decision.messages.map(({ phase, sentence }) => `${phase}: ${sentence}`),
        ...decision,
      };
    },
  };
}

describe("a stuck object", () => {
  it("is reported once it has been stuck long enough, and once more when that is over", () => {
    const watch = watcher();
    const stuck = trouble({ "Node/a": NOW });
    expect(watch.look(NOW + 1, stuck)).toMatchObject({ said: [], dueAt: NOW + 5 * MINUTE });
    expect(watch.look(NOW + 5 * MINUTE, stuck).said).toEqual(["begins: 1 nodes: full"]);
    expect(watch.look(NOW + 6 * MINUTE, stuck)).toMatchObject({ said: [], put: [], drop: [] });
    expect(watch.look(NOW + 9 * MINUTE).said).toEqual([
      "ends: 1 nodes is no longer stuck. It lasted 9 min.",
    ]);
    expect(watch.alarms).toEqual([]);
    expect(watch.look(NOW + 9 * MINUTE).said).toEqual([]);
  });

  it("is never reported if it was stuck for less", () => {
    const watch = watcher();
    watch.look(NOW, trouble({ "Node/a": NOW }));
    expect(watch.look(NOW + 4 * MINUTE)).toMatchObject({ said: [], drop: [expect.anything()] });
  });

  it("shares one message with others of the same cause, with their number, including later ones", () => {
    const watch = watcher();
    const names = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, place) => [`Node/${place}`, NOW + place]),
      );
    expect(watch.look(NOW + 5 * MINUTE, trouble(names(500))).said).toEqual([
      "begins: 500 nodes: full",
    ]);
    expect(watch.look(NOW + 6 * MINUTE, trouble(names(520))).said).toEqual([]);
    expect(watch.look(NOW + 7 * MINUTE, trouble({ "Node/3": NOW })).said).toEqual([]);
    expect(watch.look(NOW + 8 * MINUTE).said).toEqual([
      "ends: 520 nodes are no longer stuck. It lasted 8 min.",
    ]);
  });

  it("is not closed and reported anew when its cause alternates", () => {
    const watch = watcher();
    watch.look(NOW + 5 * MINUTE, trouble({ "Node/a": NOW }));
    for (const minute of [6, 7, 8]) {
      const cause = minute % 2 === 0 ? "timeout" : "full";
      const { said } = watch.look(NOW + minute * MINUTE, trouble({ "Node/a": NOW }, { cause }));
      expect(said).toEqual([]);
    }
    const other = trouble({ "Node/a": NOW, "Node/b": NOW }, { cause: "timeout" });
    expect(watch.look(NOW + 9 * MINUTE, other).said).toEqual(["begins: 1 nodes: timeout"]);
    expect(watch.look(NOW + 9 * MINUTE, other).said).toEqual([]);
    expect(watch.look(NOW + 10 * MINUTE).said).toHaveLength(2);
  });

  it("is reported separately for each cause", () => {
    const [one, two] = [trouble({ a: 0 }, { cause: "one" }), trouble({ b: 0 }, { cause: "two" })];
    expect(watcher().look(NOW, one, two).said).toEqual([
      "begins: 1 nodes: one",
      "begins: 1 nodes: two",
    ]);
  });
});

describe("a drifted object", () => {
  it("counts from when it was found, because the start of the drift is unknown", () => {
    const watch = watcher({ drift: { afterMinutes: 10 } });
    const drift = trouble({ "Node/a": undefined }, { condition: "drift" });
    expect(watch.look(NOW, drift)).toMatchObject({ said: [], dueAt: NOW + 10 * MINUTE });
    expect(watch.look(NOW + 9 * MINUTE, drift)).toMatchObject({ said: [], put: [] });
    expect(watch.look(NOW + 10 * MINUTE, drift).said).toEqual(["begins: 1 nodes: full"]);
  });
});

describe("a webhook", () => {
  it("gets nothing that it did not ask for", () => {
    expect(watcher({ guard: {} }).look(NOW, trouble({ a: 0 }))).toMatchObject({
      said: [],
      put: [],
    });
  });

  it("that no longer asks for a condition does not hear of its end", () => {
    const watch = watcher();
    watch.look(NOW, trouble({ a: 0 }));
    const alarms = watch.alarms;
    const decision = decideAlarms(
      {
        ...{ webhook: { id: "w", rules: {} }, cluster: { id: "c-1", name: "prod" }, troubles: [] },
        ...{ known: new Set(CONDITION_NAMES), now: NOW },
      },
      alarms,
    );
    expect(decision).toMatchObject({ drop: [alarms[0]?.key], messages: [] });
  });

  it("hears nothing of a condition whose state is unknown", () => {
    const broken = trouble({ chain: undefined }, { condition: "chain", cause: "chain" });
    const rules = { chain: {} };
    const watch = watcher(rules);
    expect(watch.look(NOW, broken).said).toEqual(["begins: 1 nodes: chain"]);
    const unknown = {
      ...{ webhook: { id: "w", rules }, cluster: { id: "c-1", name: "prod" }, troubles: [] },
      ...{ known: new Set<never>(), now: NOW },
    };
    expect(decideAlarms(unknown, watch.alarms)).toMatchObject({ drop: [], messages: [] });
  });
});
