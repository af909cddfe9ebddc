"use client";
import { late } from "../../components/late.tsx";

// Only pages of objects that are deleted or never existed need them.
export const LastTrace = late(() => import("./last-trace.tsx").then((part) => part.LastTrace));
export const OldTrace = late(() => import("./last-trace.tsx").then((part) => part.OldTrace));
