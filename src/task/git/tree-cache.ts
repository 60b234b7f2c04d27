/** Files of a commit that lie in a cache: never to be changed. */
export interface CommittedFiles {
  readonly dir: string;
  /** What a reader of the report has to know about them. */
  readonly notes: readonly string[];
}

/** Keeps the files of commits between runs. */
export interface TreeCache {
  /** The files of a git tree; `lay` makes them in a directory that is not there yet. Null: they cannot be cached. */
  obtain(treeId: string, lay: (dir: string) => Promise<Pick<CommittedFiles, 'notes'>>): Promise<CommittedFiles | null>;
}
