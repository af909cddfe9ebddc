import { expect, it } from "vitest";
import { loadBalancersSentence } from "./load-balancers-page.tsx";

const NONE = { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 };

it.each([
  [{ gone: 3 }, {}, "No Service of type LoadBalancer has been seen in this cluster yet."],
  [{ ok: 1 }, {}, "The one load balancer is OK."],
  [{ ok: 1_200 }, {}, "All 1,200 load balancers are OK."],
  [{ ok: 1, waiting: 2 }, {}, "No load balancer needs you. 1 of 3 is OK."],
  [{ ok: 4, stuck: 1 }, {}, "1 load balancer needs you."],
  [{ ok: 4 }, { drifted: 1 }, "All 4 load balancers are OK. 1 is not in sync in the cloud."],
  [
    { ok: 4, stuck: 2 },
    { drifted: 2, orphans: 1 },
    "2 load balancers need you. 2 are not in sync in the cloud. 1 in the cloud has no Service.",
  ],
])("of %j and %j", (states, others, sentence) => {
  const none = { drifted: 0, orphans: 0, orphansStuck: 0 };
  const counts = { states: { ...NONE, ...states }, ...none, ...others };
  expect(loadBalancersSentence(counts)).toBe(sentence);
});
