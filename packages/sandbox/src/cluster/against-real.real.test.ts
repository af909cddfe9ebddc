import { compareWithReal } from "./testing/against-real.ts";
import type { Step } from "./testing/comparison.ts";
import { NODE_CHANGES } from "./testing/steps/node-changes.ts";
import { NODE_CREATION } from "./testing/steps/node-creation.ts";
import { NODE_READS } from "./testing/steps/node-reads.ts";
import { OTHER_KINDS } from "./testing/steps/other-kinds.ts";
import { STRICT_WRITES } from "./testing/steps/strict-writes.ts";

/** In order: later steps depend on earlier ones. */
const STEPS: readonly Step[] = [
  ...NODE_CREATION,
  ...NODE_CHANGES,
  ...NODE_READS,
  ...OTHER_KINDS,
  ...STRICT_WRITES,
];

compareWithReal("the sandbox cluster against a real API server", STEPS);
