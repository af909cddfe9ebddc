import type { KubeClient } from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import type { Clock } from "@cloudwright/core/model/time";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Log } from "../logging/log.ts";
import { missingRights, type Right, rightText } from "./review-rights.ts";

/** An account known to the API server, and what this process does with it. */
export interface Identity {
  /** For the log: `the controller`, `authentication of callers`. */
  readonly who: string;
  /** Not fenced, since a standby checks its rights as well. */
  readonly client: Pick<KubeClient, "create">;
  readonly rights: readonly Right[];
}

export interface PermissionCheckOptions {
  readonly identities: readonly Identity[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Checks at start and every hour whether this process has the rights that it needs. */
export interface PermissionCheck {
  /** Returns each missing right once, even if several identities lack it. */
  missing(): readonly Right[];
  /** Returns the note for a verbose health answer. */
  note(): string;
  stop(): void;
}

const PERIOD_MS = 3_600_000;
/** The period while a right is missing or the check failed: somebody who has just granted it wants to see the effect. */
const SOON_MS = 30_000;

export function startPermissionCheck(options: PermissionCheckOptions): PermissionCheck {
  const { clock, log } = options;
  let known: Known = { missing: [], note: "not checked yet" };
  let cancel = () => {};
  let stopped = false;
  const check = async () => {
    const before = known;
    known = await ask(options, before);
    if (stopped) return;
    logChanges(log, before, known);
    const inOrder = known.problem === undefined && known.missing.length === 0;
    cancel = clock.after(inOrder ? PERIOD_MS : SOON_MS, () => void check());
  };
  void check();
  return {
    missing: () => distinct(known.missing.map(({ right }) => right)),
    note: () => known.note,
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}

interface Lack {
  readonly who: string;
  readonly right: Right;
}

interface Known {
  readonly missing: readonly Lack[];
  readonly note: string;
  /** Why the check failed. */
  readonly problem?: string;
}

async function ask({ identities }: PermissionCheckOptions, before: Known): Promise<Known> {
  try {
    const lists = await Promise.all(
      identities.map(async ({ who, client, rights }) => {
        const missing = await missingRights(client, rights);
        return missing.map((right): Lack => ({ who, right }));
      }),
    );
    // Controllers that share a service account lack the same rights.
    const missing = lists.flat().filter((lack, at, all) => !has(all.slice(0, at), lack));
    return { missing, note: noteOf(missing) };
  } catch (error) {
    const problem = problemOf(error);
    return { missing: before.missing, note: `could not be checked: ${problem}`, problem };
  }
}

function noteOf(missing: readonly Lack[]): string {
  if (missing.length === 0) return "all granted";
  const texts = distinct(missing.map(({ right }) => right)).map(rightText);
  return `degraded, ${texts.length} missing: ${texts.join("; ")}`;
}

function problemOf(error: unknown): string {
  if (isKubeError(error) && error.code === "Forbidden") {
    return "the API server does not let this identity ask about itself (system:basic-user)";
  }
  return messageOf(error);
}

/** Logs each right that is newly missing or newly granted; a problem is logged once. */
function logChanges(log: Log, before: Known, now: Known): void {
  if (now.problem !== undefined) {
    if (now.problem !== before.problem) {
      log.warn({ problem: now.problem }, "The permissions could not be checked; trying again");
    }
    return;
  }
  for (const lack of now.missing.filter((each) => !has(before.missing, each))) {
    log.error(
      { permission: rightText(lack.right), identity: lack.who, without: lack.right.without },
      "A permission is missing",
    );
  }
  for (const lack of before.missing.filter((each) => !has(now.missing, each))) {
    log.info(
      { permission: rightText(lack.right), identity: lack.who },
      "A missing permission has been granted",
    );
  }
}

function has(lacks: readonly Lack[], wanted: Lack): boolean {
  return lacks.some(
    ({ who, right }) => who === wanted.who && rightText(right) === rightText(wanted.right),
  );
}

function distinct(rights: readonly Right[]): readonly Right[] {
  return [...new Map(rights.map((right) => [rightText(right), right])).values()];
}
