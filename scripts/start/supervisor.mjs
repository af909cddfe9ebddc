import { startChild } from "./child.mjs";

/** Ends last first; a part that died or a signal is told by `broken`. */
const STOP_ORDER = ["demo", "dashboard", "controller", "kubelets", "cluster", "cloud", "database"];

/** Keeps the parts of one run: starts them, tells of the first death, stops them in order. */
export function createSupervisor({ logs }) {
  const children = new Map();
  let stopping = false;
  let tellBroken;
  const broken = new Promise((resolve) => {
    tellBroken = resolve;
  });

  return {
    /** Resolves with the sentence of the first part that died by itself. */
    broken,
    start({ name, args, env = {} }) {
      if (stopping) throw new Error(`${name} is not started, because everything is being stopped.`);
      const child = startChild({ name, args, env, logs });
      children.set(name, child);
      void child.died.then((sentence) => {
        if (!stopping) tellBroken(sentence);
      });
      // Whoever waits for it hears of its death; nobody has to.
      child.ready.catch(() => undefined);
      return child;
    },
    async stop() {
      stopping = true;
      for (const name of STOP_ORDER) await children.get(name)?.stop();
    },
    kill() {
      stopping = true;
      for (const child of children.values()) child.kill();
    },
  };
}
