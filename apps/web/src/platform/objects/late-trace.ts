"use client";
import { late } from "../../components/late.tsx";

// Only pages of what is gone, or was never there, need them.
export const LastTrace = late(() => import("./last-trace.tsx").then((part) => part.LastTrace));
export const OldTrace = late(() => import("./last-trace.tsx").then((part) => part.OldTrace));
