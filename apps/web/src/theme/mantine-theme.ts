import { createTheme, type MantineColorsTuple, type VariantColorsResolver } from "@mantine/core";

/** Passes our tokens to the few Mantine components in use: menus, dialogs, tooltips and the palette. */
export const mantineTheme = createTheme({
  fontFamily: "var(--font-text)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.8125rem", lg: "0.9375rem", xl: "1.25rem" },
  defaultRadius: "var(--radius)",
  primaryColor: "accent",
  colors: { accent: tuple("var(--accent)") },
  variantColorResolver: tokenColours,
  cursorType: "pointer",
  // A menu may contain only its items; the focus goes to the first of them.
  components: {
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // The header of a dialog is not a second banner of the page.
    ModalHeader: { defaultProps: { role: "none" } },
  },
});

function tuple(colour: string): MantineColorsTuple {
  return [colour, colour, colour, colour, colour, colour, colour, colour, colour, colour];
}

function tokenColours(...[{ variant }]: Parameters<VariantColorsResolver>) {
  return variant === "filled"
    ? {
        background: "var(--accent)",
        hover: "var(--accent-hover)",
        color: "var(--accent-ink)",
        border: "none",
      }
    : {
        background: "transparent",
        hover: "var(--surface-hover)",
        color: "var(--ink)",
        border: "1px solid var(--line-strong)",
      };
}
