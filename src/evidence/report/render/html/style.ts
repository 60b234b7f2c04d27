import { CONVERSATION_CSS } from './style-conversation.ts';
import { LAYOUT_CSS } from './style-layout.ts';
import { PARTS_CSS } from './style-parts.ts';
import { Markup } from './markup.ts';

/** The style sheet is a constant, and the only markup that the `markup` tag does not create. */
export const STYLE = new Markup(`<style>${LAYOUT_CSS}${PARTS_CSS}${CONVERSATION_CSS}</style>`);
