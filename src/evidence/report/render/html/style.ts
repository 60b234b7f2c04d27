import { LAYOUT_CSS } from './style-layout.ts';
import { PARTS_CSS } from './style-parts.ts';
import { Markup } from './markup.ts';

/** The style sheet is a constant of ours: the one piece of markup that is not made by the `markup` tag. */
export const STYLE = new Markup(`<style>${LAYOUT_CSS}${PARTS_CSS}</style>`);
