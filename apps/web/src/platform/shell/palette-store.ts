"use client";
import { createSpotlight } from "@mantine/spotlight";

/** The palette's state, and what opens it from elsewhere. */
export const [paletteStore, palette] = createSpotlight();
