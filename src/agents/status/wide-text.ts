import stringWidth from 'string-width';

/** Columns that a text takes on a terminal. Loading the tables behind it takes longer than all the rest of `status`. */
export const wideWidth = (text: string): number => stringWidth(text);
