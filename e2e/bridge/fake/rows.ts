import type { FakeRow } from "./environment.ts";
import { lifecycleRows, olderLifecycleRows } from "./lifecycle-rows.ts";
import { nodeRows } from "./node-rows.ts";
import { olderNodeRows, zonelessRows } from "./older-node-rows.ts";
import { routeRows } from "./route-rows.ts";
import { serviceRows } from "./service-rows.ts";
import type { Manner } from "./state.ts";

/** Rows that share a start of the fake, which has its manner from its beginning on. */
export interface FakePart {
  readonly manner: Manner;
  readonly rows: readonly FakeRow[];
}

export const FAKE_PARTS: readonly FakePart[] = [
  { manner: {}, rows: [...nodeRows, ...lifecycleRows, ...serviceRows, ...routeRows] },
  { manner: { olderInterface: true }, rows: [...olderNodeRows, ...olderLifecycleRows] },
  { manner: { olderInterface: true, withoutZones: true }, rows: zonelessRows },
];
