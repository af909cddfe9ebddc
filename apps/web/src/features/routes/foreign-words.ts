/** Where a route that is not ours stands, and where it leads, as its columns and its file have it. */
export const IN_RANGE = "In a pod range";
export const ELSEWHERE = "Elsewhere";
export const GONE_HOP = "a machine that is gone";
