import { nodeModule } from "./node/module.ts";
import { nodeIpamModule } from "./node-ipam/module.ts";
import { nodeLifecycleModule } from "./node-lifecycle/module.ts";
import { routeModule } from "./route/module.ts";
import { serviceModule } from "./service/module.ts";
import { volumeModule } from "./volume/module.ts";

/** The controllers, in the order in which they start. */
export const MODULES = [
  nodeModule,
  nodeLifecycleModule,
  serviceModule,
  routeModule,
  nodeIpamModule,
  volumeModule,
] as const;
