import { createServer } from "node:net";
import { PlainError } from "../lib/project.mjs";

const POLL_MS = 100;

/** Throws PlainError if another process listens on the dashboard's port. */
export async function requireFreePort({ host, port }) {
  try {
    await listenOnce({ host, port });
  } catch (error) {
    throw new PlainError(portSentence({ host, port, error }));
  }
}

/** Returns a port that was free a moment ago. */
export async function freePort() {
  return await listenOnce({ host: "127.0.0.1", port: 0 });
}

/** Well above the time of a health check with a slow database: otherwise every attempt would be given up just before the answer. */
const ANSWER_WITHIN_MS = 10_000;

/** Resolves when the URL returns 2xx. Never rejects; the caller races it against failures. */
export async function untilHealthy(url, { limitMs = ANSWER_WITHIN_MS } = {}) {
  while (!(await isHealthy(url, limitMs)))
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

async function isHealthy(url, limitMs) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

function listenOnce({ host, port }) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const taken = server.address().port;
      server.close(() => resolve(taken));
    });
  });
}

function portSentence({ host, port, error }) {
  if (error.code === "EADDRINUSE") {
    return `Port ${port} of ${host} is in use by another program: end that one, or take another port: npm start -- --port ${port + 1}.`;
  }
  return `The dashboard cannot listen on ${host} port ${port} (${error.message}): choose others by --host and --port.`;
}
