/**
 * TCP keep-alive for each connection to PostgreSQL. Firewalls and load balancers in between silently drop a connection that was idle for
 * some minutes, which is sooner than the operating system's default probe.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;
