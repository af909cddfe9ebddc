import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClusterFacts, type FreshnessFacts, judgeFreshness, LINKS } from "./freshness.ts";
import { freshnessMessages } from "./freshness-messages.ts";

const NOW = 10_000_000;
const clock = (at: number) => `T${(at - NOW) / 1_000}`;

const CLUSTER = {
  reportedAt: NOW - 2_000,
  leader: {
    identity: "ctl-1",
    reportedAt: NOW - 2_000,
    watchSilentMs: 500,
    cloud: { resumesAt: undefined, failingSince: undefined },
  },
} satisfies ClusterFacts;
const WELL: FreshnessFacts = {
  now: NOW,
  server: { newest: "answered", answeredAt: NOW - 1_000 },
  database: { newest: "answered", answeredAt: NOW - 1_000 },
  stream: { kind: "open" },
  keptSince: undefined,
  readAt: NOW - 1_000,
  cluster: CLUSTER,
};

/** The failures, one by one, from the browser outwards. */
const FAULTS = {
  server: { server: { newest: "failed", answeredAt: NOW - 60_000 } },
  database: { database: { newest: "failed", answeredAt: NOW - 50_000 } },
  leader: ofLeader({ reportedAt: NOW - 49_000 }),
  watch: ofLeader({ watchSilentMs: 90_000 }),
  cloud: ofLeader({ cloud: { resumesAt: undefined, failingSince: NOW - 80_000 } }),
} as const satisfies Record<(typeof LINKS)[number], Partial<FreshnessFacts>>;

function ofLeader(leader: Partial<NonNullable<ClusterFacts["leader"]>>) {
  return { cluster: { ...CLUSTER, leader: { ...CLUSTER.leader, ...leader } } };
}

/** Each combination of the five faults. */
const COMBINATIONS = Array.from({ length: 2 ** LINKS.length }, (_, bits) =>
  LINKS.filter((_link, place) => (bits & (1 << place)) !== 0),
);

function factsOf(broken: readonly (typeof LINKS)[number][]): FreshnessFacts {
  const leader = Object.assign(
    {},
    CLUSTER.leader,
    ...(["cloud", "watch", "leader"] as const)
      .filter((link) => broken.includes(link))
      .map((link) => changed(FAULTS[link].cluster.leader)),
  );
  return {
    ...WELL,
    cluster: { ...CLUSTER, leader },
    ...(broken.includes("server") ? FAULTS.server : {}),
    ...(broken.includes("database") ? FAULTS.database : {}),
  };
}

function actionsBehind(nearest: (typeof LINKS)[number] | undefined) {
  if (nearest === "server" || nearest === "database") return "impossible";
  return nearest === "leader" ? "wait" : "possible";
}

function changed(leader: object): object {
  const before = Object.entries(CLUSTER.leader);
  return Object.fromEntries(
    Object.entries(leader).filter(
      ([name, value]) => !before.some(([other, old]) => other === name && old === value),
    ),
  );
}

describe("every combination of failing links", () => {
  it.each(COMBINATIONS.map((broken) => [broken.join(" + ") || "none", broken] as const))(
    "%s: the nearest is named, what lies before it answers, what lies behind it is unknown",
    (_name, broken) => {
      const { links, failure } = judgeFreshness(factsOf(broken));
      const [nearest] = broken;
      expect(failure?.link).toBe(nearest);
      const place = nearest === undefined ? LINKS.length : LINKS.indexOf(nearest);
      expect(LINKS.map((link) => links[link])).toEqual(
        LINKS.map((_link, index) =>
          index < place ? "answers" : index === place ? "fails" : "unknown",
        ),
      );
    },
  );

  it.each(COMBINATIONS.map((broken) => [broken.join(" + ") || "none", broken] as const))(
    "%s: dot, banner, dimming and actions say the same",
    (_name, broken) => {
      const judged = judgeFreshness(factsOf(broken));
      const words = freshnessMessages(judged, { now: NOW, clock });
      const [nearest] = broken;
      const isOld = nearest !== undefined && nearest !== "cloud";
      expect({
        isOld: judged.isOld,
        dot: words.dot.tone,
        hasBanner: words.banner !== undefined,
        asOf: words.asOfLabel,
        actions: judged.actions,
        refused: words.whyNoAction !== undefined,
      }).toEqual({
        isOld,
        dot: isOld ? "stale" : "live",
        hasBanner: nearest !== undefined,
        asOf: isOld ? "Last updated" : "Data as of",
        actions: actionsBehind(nearest),
        refused: nearest === "server" || nearest === "database",
      });
    },
  );

  it("nothing is claimed about what lies behind the failing link", () => {
    const claims = {
      server: /PostgreSQL|last reported|leads|Kubernetes|cloud|go on without/i,
      database: /last reported|leads|Kubernetes|cloud|go on without/i,
      leader: /Kubernetes API|cloud/i,
      watch: /cloud/i,
      cloud: /^$/,
    };
    for (const broken of COMBINATIONS) {
      const words = freshnessMessages(judgeFreshness(factsOf(broken)), { now: NOW, clock });
      const [nearest] = broken;
      if (nearest !== undefined) expect(words.banner?.text).not.toMatch(claims[nearest]);
    }
  });
});

interface Said {
  readonly banner: string;
  readonly dot: string;
}

describe("the banner", () => {
  it.each<[string, Partial<FreshnessFacts>, Said]>([
    [
      "server gone",
      FAULTS.server,
      {
        banner:
          "This page has been unable to reach the dashboard's server since T-60. What is shown was last updated at T-60 and may be out of date. This page cannot tell whether the database and the controllers work, and no action can be requested. Check that the dashboard is running; this page recovers by itself once it answers.",
        dot: "Stale since T-60",
      },
    ],
    [
      "database frozen",
      FAULTS.database,
      {
        banner:
          "The dashboard's server has been unable to reach its database since T-50. What is shown was last updated at T-50 and may be out of date. The dashboard cannot tell whether the controllers work, and no action can be requested. Check that PostgreSQL is running and reachable.",
        dot: "Stale since T-50",
      },
    ],
    [
      "leader silent",
      FAULTS.leader,
      {
        banner:
          "The leader ctl-1 last reported at T-49; current state unknown. What is shown is from then, and actions wait. Check that it is running and can reach the database.",
        dot: "Stale since T-49",
      },
    ],
    [
      "watch silent",
      FAULTS.watch,
      {
        banner:
          "The leader has received nothing from the Kubernetes API since T-92: what is shown of nodes and Services may be out of date. Check the API server and the network to it.",
        dot: "Stale since T-92",
      },
    ],
    [
      "cloud silent",
      FAULTS.cloud,
      {
        banner:
          "The cloud has not answered any call since T-80: what is shown of the cloud may be out of date. Check the cloud's status and the network to it; calls are retried automatically.",
        dot: "Live",
      },
    ],
    [
      "cloud throttled",
      ofLeader({ cloud: { resumesAt: NOW + 40_000, failingSince: undefined } }),
      {
        banner:
          "The cloud does not accept any calls until T40: what is shown of the cloud may be out of date until then. Calls resume automatically.",
        dot: "Live",
      },
    ],
    [
      "cloud closed",
      ofLeader({
        cloud: { resumesAt: NOW + 40_000, failingSince: undefined, closedSince: NOW - 700_000 },
      }),
      {
        banner:
          "The cloud has refused every call with 429 since T-700: what is shown of the cloud may be out of date. Check its rate limits and who else uses them; one call is tried after each wait.",
        dot: "Live",
      },
    ],
    [
      "nobody leads",
      { cluster: { ...CLUSTER, leader: undefined } },
      {
        banner:
          "No controller leads: nothing is reconciled, what is shown is from the last one that led, and actions wait. A replica takes the Lease within seconds if one runs.",
        dot: "Stale",
      },
    ],
    [
      "no controller reports",
      { cluster: { reportedAt: NOW - 95_000, leader: undefined } },
      {
        banner:
          "The last controller last reported at T-95; current state unknown. What is shown is from then, and actions wait. Check that it is running and can reach the database.",
        dot: "Stale since T-95",
      },
    ],
    [
      "a part that could not be read again",
      { keptSince: NOW - 7_000 },
      {
        banner:
          "The dashboard's server has answered some of this page's requests with an error since T-7: part of what is shown may be out of date. Its log says why.",
        dot: "Stale since T-7",
      },
    ],
  ])("%s", (_name, facts, said) => {
    const words = freshnessMessages(judgeFreshness({ ...WELL, ...facts }), { now: NOW, clock });
    expect({ banner: words.banner?.text, dot: words.dot.text }).toEqual(said);
  });
});

describe("patience", () => {
  it("a server that restarts within 10 s is reconnecting, not lost", () => {
    const facts = {
      ...WELL,
      server: { newest: "failed", answeredAt: NOW - 10_000 },
      stream: { kind: "lost", since: NOW - 4_000 },
    } as const;
    const judged = judgeFreshness(facts);
    expect(judged.failure).toBeUndefined();
    expect(freshnessMessages(judged, { now: NOW, clock }).dot).toEqual({
      tone: "reconnecting",
      word: "Reconnecting",
      text: "Reconnecting (4 s)",
    });
    expect(judgeFreshness({ ...facts, now: NOW + 1 }).failure?.link).toBe("server");
  });

  it("a leader is silent according to when its report was read, not to the time since: the page may have slept", () => {
    const later = { ...WELL, now: NOW + 600_000 };
    expect(judgeFreshness(later).failure).toBeUndefined();
    const read = { ...later, readAt: NOW + 30_000 };
    expect(judgeFreshness(read).failure).toMatchObject({ link: "leader", since: NOW - 2_000 });
  });

  it("a cloud that throttles calls for some seconds delays nothing", () => {
    const cloud = { resumesAt: NOW + 15_000, failingSince: NOW - 60_000 };
    expect(judgeFreshness({ ...WELL, ...ofLeader({ cloud }) }).failure).toBeUndefined();
  });
});

it("a page is dated by what was read before the failure began", () => {
  expect(judgeFreshness({ ...WELL, ...FAULTS.leader }).asOf).toBe(NOW - 49_000);
  expect(judgeFreshness({ ...WELL, ...FAULTS.server, readAt: NOW - 63_000 }).asOf).toBe(
    NOW - 63_000,
  );
  expect(judgeFreshness(WELL).asOf).toBe(NOW - 1_000);
});

it("a page that has read nothing yet claims nothing", () => {
  const facts: FreshnessFacts = {
    ...WELL,
    server: { newest: "pending", answeredAt: undefined },
    database: { newest: "pending", answeredAt: undefined },
    stream: { kind: "opening" },
    readAt: undefined,
    cluster: undefined,
  };
  const judged = judgeFreshness(facts);
  expect(new Set(Object.values(judged.links))).toEqual(new Set(["unknown"]));
  const words = freshnessMessages(judged, { now: NOW, clock });
  expect([words.dot.text, words.banner]).toEqual(["Connecting", undefined]);
});

it("a page that a user has paused does not get old by that, but it does by a failing link", () => {
  const paused = { ...WELL, stream: { kind: "paused" } } as const;
  expect(freshnessMessages(judgeFreshness(paused), { now: NOW, clock }).dot.text).toBe("Paused");
  const cut = { ...paused, ...FAULTS.database };
  expect(freshnessMessages(judgeFreshness(cut), { now: NOW, clock }).dot.tone).toBe("stale");
});

it("whatever the facts, a dot that says live has no failing link except the cloud", () => {
  const at = fc.integer({ min: NOW - 200_000, max: NOW });
  const exchange = fc.record({
    newest: fc.constantFrom("pending", "answered", "failed"),
    answeredAt: fc.option(at, { nil: undefined }),
  });
  const facts = fc.record({
    now: fc.constant(NOW),
    server: exchange,
    database: exchange,
    stream: fc.constantFrom({ kind: "open" }, { kind: "opening" }, { kind: "paused" }),
    keptSince: fc.option(at, { nil: undefined }),
    readAt: fc.option(at, { nil: undefined }),
    cluster: fc.constantFrom(undefined, CLUSTER, { ...CLUSTER, leader: undefined }),
  });
  fc.assert(
    fc.property(facts, (given) => {
      const judged = judgeFreshness(given as FreshnessFacts);
      const { dot, banner } = freshnessMessages(judged, { now: NOW, clock });
      if (dot.tone === "live") expect([undefined, "cloud"]).toContain(judged.failure?.link);
      expect(judged.isOld).toBe(dot.tone === "stale");
      if (judged.isOld) expect(banner).toBeDefined();
    }),
  );
});
