import { flag } from "../flag.ts";
import { bool, text } from "../kinds.ts";

export const DEBUGGING_FLAGS = {
  profiling: flag("Debugging", bool, {
    initial: true,
    help: "Serve /debug/pprof/ and /debug/flags/v over HTTPS to callers that the cluster authorises.",
  }),
  "contention-profiling": flag("Debugging", bool, {
    initial: false,
    help: "Profile blocking as well.",
    idle: "Node.js has no locks to wait for",
  }),
  "enable-leader-migration": flag("Leader migration", bool, {
    initial: false,
    help: "Hold a second Lease for the controllers that are being moved between managers.",
  }),
  "leader-migration-config": flag("Leader migration", text, {
    initial: "",
    help: "File of kind LeaderMigrationConfiguration. If empty, the route, service and node lifecycle controllers are moved, under upstream's Lease name.",
  }),
};
