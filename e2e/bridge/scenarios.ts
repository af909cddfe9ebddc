import { FAKE_PARTS } from "./fake/rows.ts";

/** Scenarios of spec/90 that a row with the baseline's provider shows, which has an id of its own. */
const BY_BASELINE: Readonly<Record<string, readonly string[]>> = {
  "N-01": ["N-facts"],
  "N-52": ["N-unknown"],
  "L-01": ["L-gone"],
  "L-02": ["L-gone"],
  "L-05": ["L-gone"],
  "S-01": ["S-made"],
  "S-04": ["S-removed"],
  "S-21": ["S-members"],
  "S-32": ["S-ports"],
  "R-01": ["R-made"],
  "R-09": ["R-removed"],
};

/** The scenarios that are shown through the bridge, by their rows: those with upstream's fake have the scenario's number. */
export const SHOWN: Readonly<Record<string, readonly string[]>> = {
  ...BY_BASELINE,
  ...Object.fromEntries(
    FAKE_PARTS.flatMap(({ rows }) => rows).map(({ id }) => [id, [...(BY_BASELINE[id] ?? []), id]]),
  ),
};

/** Why the others are not run here. */
export const LEFT_OUT: readonly {
  readonly scenarios: readonly string[];
  readonly why: string;
}[] = [
  {
    scenarios: [
      ...["N-03 to N-05", "N-08", "N-12", "N-16", "N-18 to N-25", "N-30", "N-38 to N-40"],
      ...["N-42", "N-44", "N-46 to N-48", "N-50"],
      ...["L-03", "L-11 to L-13", "L-19", "L-20", "L-22 to L-24", "L-27 to L-29"],
      ...["S-02", "S-03", "S-07", "S-10", "S-16 to S-20", "S-22 to S-28", "S-31", "S-33 to S-47"],
      ...["S-51 to S-54", "S-56", "S-59 to S-62", "S-67 to S-75"],
      ...["R-02 to R-08", "R-11", "R-15 to R-18", "R-22 to R-27", "R-29 to R-34", "R-46", "R-47"],
    ],
    why: "they are about what the cluster says and does; the provider is asked what it is asked in those that are shown, and the sandbox cloud shows them",
  },
  {
    scenarios: ["N-10", "N-49", "S-15"],
    why: "neither fake can be made to answer nothing; the tests of the Go module do that",
  },
  {
    scenarios: ["N-31", "N-32", "N-53", "L-21", "L-30", "S-55", "S-58", "R-28"],
    why: "they are about how many calls are made, and how many at once: the tests of the Go module and `npm run bench` show that; N-53 cannot hold, as upstream's interface has no listing",
  },
  {
    scenarios: ["N-51", "S-09", "S-66", "S-76 to S-78", "S-81", "S-82", "R-43", "R-44"],
    why: "neither fake counts its calls by object, throttles one operation or loses an answer; `npm run e2e:aws` plays throttling, a missing right and lost answers",
  },
  {
    scenarios: ["S-13", "S-48 to S-50", "S-63 to S-65", "S-79", "S-80"],
    why: "the fakes' load balancers have one address and nothing else that could change by itself; the kits of provider-api play most of these over the wire, with providers of both styles",
  },
  {
    scenarios: ["R-19 to R-21", "R-35", "R-36", "R-45"],
    why: "the fakes' routes have no addresses, no second family and no owners; the tests of the Go module have the first two, and the kits of provider-api the last",
  },
  { scenarios: ["R-37 to R-42"], why: "handing out the ranges of pods asks no provider" },
  {
    scenarios: ["V-01 to V-17", "H-01 to H-40"],
    why: "volumes are in the tests of the Go module and of the contract; what a controller process does by itself asks no provider",
  },
];
