/** Media that a model looks at. Formats that can name other files, such as SVG and HTML, are not among them. */
const MEDIA_TYPES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/heic',
  'image/heif',
  'application/pdf',
  'text/plain',
  'audio/wav',
  'audio/mp3',
  'audio/mpeg',
  'audio/aac',
  'audio/ogg',
  'audio/flac',
  'video/mp4',
  'video/mpeg',
  'video/webm',
  'video/quicktime',
]);

export const isMediaType = (text: string): boolean => MEDIA_TYPES.has(text);

const HEAD = /^data:([a-z0-9.+/-]{1,100});base64,/;

export function isInlineMedia(url: string): boolean {
  const [head, type] = HEAD.exec(url) ?? [];
  return head !== undefined && type !== undefined && isMediaType(type) && isBase64(url, head.length);
}

function isBase64(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) if (!BASE64[text.charCodeAt(at)]) return false;
  return true;
}

const BASE64: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)),
);
