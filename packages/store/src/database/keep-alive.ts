/**
 * Of each connection to PostgreSQL. Firewalls and load balancers on the way drop one without a word once nothing has been sent on it
 * for some minutes, which is sooner than a system probes it unless it is asked to.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;
