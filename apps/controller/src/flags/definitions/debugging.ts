import { flag } from "../flag.ts";
import { bool, text } from "../kinds.ts";

export const DEBUGGING_FLAGS = {
  profiling: flag("Debugging", bool, {
    initial: true,
    help: "Serve /debug/pprof/ and /debug/flags/v over HTTPS, to those whom the cluster allows.",
  }),
  "contention-profiling": flag("Debugging", bool, {
    initial: false,
    help: "Profile blocking as well.",
    idle: "Node.js has no locks to wait for",
  }),
  "enable-leader-migration": flag("Leader migration", bool, {
    initial: false,
    help: "Hold a second Lease, under which controllers run that move between managers.",
  }),
  "leader-migration-config": flag("Leader migration", text, {
    initial: "",
    help: "File of kind LeaderMigrationConfiguration; empty moves routes, Services and the node lifecycle under upstream's name.",
  }),
};
