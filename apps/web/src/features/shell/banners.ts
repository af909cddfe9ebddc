import { formatDuration } from "@cloudwright/core/model/duration";
import type { ClusterView } from "@cloudwright/store/views";

export interface Banner {
  readonly id: string;
  readonly tone: "stuck" | "unknown" | "drifted" | "held";
  readonly text: string;
}

export const SILENT = { controllerMs: 30_000, watchMs: 60_000 } as const;

/** What is not true on every page at the moment, worst first (UX brief, section 3). `now` is the server's time. */
export function bannersOf(
  cluster: ClusterView | undefined,
  now: number,
  unreachable: boolean,
): readonly Banner[] {
  if (unreachable) {
    return [
      {
        id: "database",
        tone: "stuck",
        text: "The dashboard cannot reach its database: what you see is old, and no action can be asked for. The controllers go on without it.",
      },
    ];
  }
  if (cluster === undefined) return [];
  const silentMs = now - cluster.lastHeardAt;
  if (silentMs > SILENT.controllerMs) return [silentController(cluster, silentMs)];
  if (cluster.leader === undefined) return [noLeader()];
  return leaderBanners(cluster.leader);
}

function silentController({ instances }: ClusterView, silentMs: number): Banner {
  const who = instances.length > 1 ? "No controller has" : "The controller has not";
  return {
    id: "silent",
    tone: "unknown",
    text: `${who} been heard for ${formatDuration(silentMs)}: states are what they were then. Check that it runs and reaches the database.`,
  };
}

function noLeader(): Banner {
  return {
    id: "leader",
    tone: "stuck",
    text: "No controller leads: nothing is reconciled and actions wait. A replica takes the lease within seconds if one runs.",
  };
}

function leaderBanners(leader: NonNullable<ClusterView["leader"]>): readonly Banner[] {
  const banners: Banner[] = [];
  if (leader.watchSilentMs > SILENT.watchMs) {
    banners.push({
      id: "watch",
      tone: "unknown",
      text: `The leader has heard nothing from the Kubernetes API for ${formatDuration(leader.watchSilentMs)}: node states may be old.`,
    });
  }
  if (leader.dryRun) {
    banners.push({
      id: "dry-run",
      tone: "held",
      text: "This controller is in dry run: it plans and records, and writes nothing.",
    });
  }
  return banners;
}
