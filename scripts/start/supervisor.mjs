import { setTimeout as delay } from "node:timers/promises";
import { PlainError } from "../lib/project.mjs";
import { startChild } from "./child.mjs";
import { roleOf } from "./members.mjs";
import { createRestarts } from "./restarts.mjs";

/** By role, for all clusters at once. The last of these ends last; `broken` reports a part that died, or a signal. */
const STOP_ORDER = ["demo", "dashboard", "controller", "kubelets", "cluster", "cloud", "database"];

/** PostgreSQL outlives the part that started it, so that part has to end it gracefully. */
const ENDS_IN_ORDER_ONLY = "database";

/**
 * Supervises the parts of one run: starts them, reports the first death, stops them in order. A part that ends after a message of
 * the type in its `startsAnewAfter` is restarted.
 */
export function createSupervisor({
  logs,
  report = console.log,
  wait = waitUnlessAborted,
  now = () => performance.now(),
}) {
  const children = new Map();
  const stopping = new AbortController();
  const restarts = createRestarts({ now });
  const broken = withResolvers();

  /** Starts the part, and restarts it whenever it ends in the permitted way. */
  function launch(part, { ready, goesOn }) {
    const child = startChild({ ...part, logs, goesOn });
    children.set(part.name, child);
    // `died` handles a part that dies before it is ready.
    child.ready.then(ready.resolve, () => undefined);
    void child.died.then((sentence) => afterDeath(part, { child, ready, sentence }));
  }

  async function afterDeath(part, { child, ready, sentence }) {
    if (!stopping.signal.aborted && child.hasSaid(part.startsAnewAfter)) {
      const restart = restarts.next(part.name);
      report(restart.sentence);
      await wait(restart.delayMs, stopping.signal);
      if (!stopping.signal.aborted) return launch(part, { ready, goesOn: true });
    }
    ready.reject(new PlainError(sentence));
    if (!stopping.signal.aborted) broken.resolve(sentence);
  }

  return {
    /** Resolves with a sentence about the first part that died by itself. */
    broken: broken.promise,
    /** Aborts pending work as soon as everything has to end. */
    stopping: stopping.signal,
    /** `ready` resolves with the content of the part's ready message; it rejects if the part ends for good before. */
    start({ env = {}, ...part }) {
      if (stopping.signal.aborted)
        throw new Error(`${part.name} is not started, because everything is being stopped.`);
      const ready = withResolvers();
      // Callers that wait for it see its failure, but nobody has to wait.
      ready.promise.catch(() => undefined);
      launch({ ...part, env }, { ready, goesOn: false });
      return { ready: ready.promise };
    },
    async stop() {
      stopping.abort();
      for (const role of STOP_ORDER) {
        const parts = [...children].filter(([name]) => roleOf(name) === role);
        await Promise.all(parts.map(([, child]) => child.stop()));
      }
    },
    /** Ends by force what delays `stop`; the database still writes its data. */
    hurry() {
      for (const [name, child] of children) if (name !== ENDS_IN_ORDER_ONLY) child.kill();
    },
  };
}

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => {
    Object.assign(made, { resolve, reject });
  });
  return made;
}

/** Also resolves if everything has to end meanwhile. */
async function waitUnlessAborted(ms, signal) {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
