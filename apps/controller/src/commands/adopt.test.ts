import { expect, test } from "vitest";
import { nothingWaits } from "./adopt.ts";

const whole = { isExpected: true, uninitialised: 0 };

test.each([
  { nodes: [12, 12], services: [5, 5], says: "everything already has an owner" },
  { nodes: [0, 0], services: [0, 0], says: "everything already has an owner" },
  { nodes: [12, 12], services: [5, 3], says: "only 3 of 5 Services and 12 of 12 Nodes" },
  { nodes: [12, 0], services: [5, 5], says: "only 5 of 5 Services and 0 of 12 Nodes" },
] as const)(
  "of $services Services and $nodes Nodes (present, reported) it says $says",
  ({ nodes: [nodes, reportedNodes], services: [services, reportedServices], says }) => {
    const text = nothingWaits({
      Node: { ...whole, present: nodes, reported: reportedNodes },
      Service: { ...whole, present: services, reported: reportedServices },
    });
    expect(text).toContain(says);
    expect(text).toMatch(/^Nothing is waiting for consent/);
  },
);
