import { startChild } from "./child.mjs";

/** Ends last first; a part that died or a signal is told by `broken`. */
const STOP_ORDER = ["demo", "dashboard", "controller", "kubelets", "cluster", "cloud", "database"];

/** PostgreSQL outlives the part that started it, so that part is the one that has to end it, and in order. */
const ENDS_IN_ORDER_ONLY = "database";

/** Keeps the parts of one run: starts them, tells of the first death, stops them in order. */
export function createSupervisor({ logs }) {
  const children = new Map();
  const stopping = new AbortController();
  let tellBroken;
  const broken = new Promise((resolve) => {
    tellBroken = resolve;
  });

  return {
    /** Resolves with the sentence of the first part that died by itself. */
    broken,
    /** For what else is under way: aborted as soon as everything is to end. */
    stopping: stopping.signal,
    start({ name, args, env = {} }) {
      if (stopping.signal.aborted)
        throw new Error(`${name} is not started, because everything is being stopped.`);
      const child = startChild({ name, args, env, logs });
      children.set(name, child);
      void child.died.then((sentence) => {
        if (!stopping.signal.aborted) tellBroken(sentence);
      });
      // Whoever waits for it hears of its death; nobody has to.
      child.ready.catch(() => undefined);
      return child;
    },
    async stop() {
      stopping.abort();
      for (const name of STOP_ORDER) await children.get(name)?.stop();
    },
    /** Ends by force what keeps `stop` waiting; the database's data is written out all the same. */
    hurry() {
      for (const [name, child] of children) if (name !== ENDS_IN_ORDER_ONLY) child.kill();
    },
  };
}
