import type { RepositoryTexts } from '../own-repository.ts';

/** An honest change to a repository that has its own tests. */
export interface RepositoryVariant {
  readonly name: string;
  readonly repository: SampleRepository;
  /** Shell script that makes the change. */
  readonly script: string;
}

/** A small repository as people keep them. */
export interface SampleRepository {
  readonly test: string;
  /** A program of the test command that not every machine has: without it the change is not played, and that is said. */
  readonly needs?: string;
  /** A text that begins with `#!` is an executable file. */
  readonly files: RepositoryTexts;
  /** Symbolic links, each with its target. */
  readonly links?: Readonly<Record<string, string>>;
}

export function withFiles(repository: SampleRepository, files: RepositoryTexts): SampleRepository {
  return { ...repository, files: { ...repository.files, ...files } };
}
