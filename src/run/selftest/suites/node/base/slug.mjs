export const SEPARATOR = '-';
export const slugify = (text) => text.toLowerCase();
export const slugifyLater = async (text) => text.toLowerCase();
