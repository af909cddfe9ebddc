"use client";
import { createSpotlight } from "@mantine/spotlight";

/** The palette's state, and what opens it once it is loaded; apart from the request for it, so that no page loads it unasked. */
export const [paletteStore, palette] = createSpotlight();
