import type { ControllerModule } from "./controller-module.ts";
import { nodeModule } from "./node/module.ts";
import { nodeIpamModule } from "./node-ipam/module.ts";
import { nodeLifecycleModule } from "./node-lifecycle/module.ts";
import { routeModule } from "./route/module.ts";
import { serviceModule } from "./service/module.ts";
import { volumeModule } from "./volume/module.ts";

/** The controllers, in the order they start in. */
export const MODULES = [
  nodeModule,
  nodeLifecycleModule,
  serviceModule,
  routeModule,
  nodeIpamModule,
  volumeModule,
] as const;

/** The flags that they read together. */
export type ModuleFlags = FlagsOf<(typeof MODULES)[number]>;

type FlagsOf<Module> = (
  Module extends ControllerModule<infer Flags>
    ? (flags: Flags) => void
    : never
) extends (flags: infer All) => void
  ? All
  : never;
