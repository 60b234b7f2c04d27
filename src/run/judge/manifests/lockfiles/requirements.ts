import { dirSource, pythonSource } from '../dependencies/source.ts';
import { requirementName } from '../rules/python-names.ts';
import { locked, type LockedPackage, type LockedSource, type LockReading, numbered } from './locked.ts';

/** requirements*.txt. A line of options (`--index-url`, `-r`) is kept under its own text: a change of it is a change. */
export function readRequirements(text: string): LockReading {
  const lines = text
    .replaceAll(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '');
  return { packages: numbered(lines.map(packageOf)) };
}

function packageOf(line: string): LockedPackage {
  const [, editable] = /^(?:-e|--editable)(?:\s+|=)(.*)$/.exec(line) ?? [];
  const spec = (editable ?? line).replace(/\s+--.*$/, '').trim();
  const hashes = [...line.matchAll(/--hash[= ](\S+)/g)].map((match) => match[1] ?? '');
  const name = requirementName(spec);
  if (editable === undefined && line.startsWith('-')) {
    return locked({ id: line, name: line, version: '', source: optionSource(line) });
  }
  if (name === null || /^[^@;]*[/\\]/.test(spec)) {
    return locked({ id: spec, name: spec, version: '', source: placeOf(spec), hashes });
  }
  return locked({ id: name, name, version: spec.replaceAll(/\s+/g, ''), source: named(spec), hashes });
}

/** Another file of the same kind is read on its own; everything else changes where packages come from. */
function optionSource(line: string): LockedSource {
  const isFile = /^(?:-r|-c|--requirement|--constraint)\b/.test(line) && !line.includes('://');
  return isFile ? { kind: 'tree' } : { kind: 'other', at: line };
}

function placeOf(spec: string): LockedSource {
  if (/^(?:git|hg|svn|bzr)\+/.test(spec)) return { kind: 'git', at: spec };
  if (/^https?:/.test(spec)) return { kind: 'url', at: spec };
  const source = dirSource(spec.replace(/^file:/, '').replace(/\[.*$/, ''), '');
  return source.kind === 'path' ? source : { kind: 'tree' };
}

function named(spec: string): LockedSource {
  const source = pythonSource(spec, '');
  if (source.kind === 'registry' || source.kind === 'alias') return { kind: 'registry', origins: [] };
  return source.kind === 'tree' ? { kind: 'tree' } : source;
}
