/** Files of a commit that lie in a cache: never to be changed. */
export interface CommittedFiles {
  readonly dir: string;
  /** What a reader of the report has to know about them. */
  readonly notes: readonly string[];
}

/** Makes the files in a directory that is not there yet. Null: they must not be cached. */
export type LayFiles = (dir: string) => Promise<Pick<CommittedFiles, 'notes'> | null>;

/** Keeps the files of commits between runs. */
export interface TreeCache {
  /** The files of a git tree. Null: they cannot be cached. */
  obtain(treeId: string, lay: LayFiles): Promise<CommittedFiles | null>;
}
