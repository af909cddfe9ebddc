/**
 * How long a row waits for what the services do: a call that takes the lab half a second on its own takes ten beside other work, and
 * ports that change cost a load balancer a dozen of them, one after another.
 */
export const LONG_MS = 400_000;
