/** A variable or keyword that holds a version, and what stands between it and the number. */
const VERSION_NAME = String.raw`(?<![\w])(?:\w*_)?(?:VERSION|MAJOR|MINOR|PATCH|MICRO|REVISION|RELEASE)(?:_\w+)?`;
const IN_MAKE = new RegExp(String.raw`^(${VERSION_NAME}\s*[:?]?=\s*)[\w.+-]+[ \t]*$`, 'gm');
const IN_PROJECT = /\b(project\s*\(\s*[\w.-]+(?:\s+[A-Z]+)?\s+VERSION\s+)[\d.]+(?=[\s)])/gi;
const IN_MESON = /\b(project\s*\([^()]*?\bversion\s*:\s*')[\w.+-]+(?=')/g;
const IN_AUTOCONF = /\b(AC_INIT\s*\(\s*\[?[\w .-]+\]?\s*,\s*\[?)[\w.+-]+(?=\]?\s*[,)])/g;

/** A build file without the number of the project's version. */
export function withoutVersions(text: string): string {
  return [IN_MAKE, IN_PROJECT, IN_MESON, IN_AUTOCONF].reduce((rest, pattern) => rest.replaceAll(pattern, '$1'), text);
}
